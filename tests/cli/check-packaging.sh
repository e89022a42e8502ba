#!/bin/sh
# assets/packaging: the version of the Makefile, every library of the build, and the syntax of each file, for those whose
# interpreter is here.
. "$(dirname "$0")/common.sh"
packaging=assets/packaging
version=$(sed -n 's/^VERSION := //p' Makefile)

names_version() { grep -q "$2" "$packaging/$1"; }
names() { # names FILE WORD…: the file names all of them
	file=$1
	shift
	for word; do grep -q "$word" "$packaging/$file" || { echo "no $word"; return 1; }; done
}

check "the version of the PKGBUILD" names_version arch/PKGBUILD "^pkgver=$version\$"
check "the version of the APKBUILD" names_version alpine/APKBUILD "^pkgver=$version\$"
check "the version of the formula" names_version homebrew/evtui.rb "^  url \".*/v$version/evtui-$version.tar.gz\"\$"
check "the version of the flake" names_version nix/flake.nix "version = \"$version\""
check "the version of the Debian package" names_version debian/changelog "^evtui ($version-"

for file in arch/PKGBUILD alpine/APKBUILD homebrew/evtui.rb nix/flake.nix debian/control; do
	check "$file names every library" names "$file" ncurses termkey utf8proc sqlite elf uthash zlib zstd
done
# Debian's package builds with the libraries that make deps installs for the program.
for library in $(sed -n 's/^need \(lib[a-z0-9-]*-dev\|uthash-dev\|zlib1g-dev\) .*/\1/p' tests/tools/deps | grep -vE '^lib(c6|cmocka|jansson|vterm)-dev'); do
	check "debian/control names $library" names debian/control "$library"
done

check "alpine/APKBUILD is a script" sh -n "$packaging/alpine/APKBUILD"
where() { # where COMMAND WHAT ARGS…: the check, where there is the command
	if command -v "$1" >/dev/null; then check "$2" "$1" "$3" "$4"; else echo "skipped: $2: no $1 here"; fi
}
where bash "arch/PKGBUILD is a script" -n "$packaging/arch/PKGBUILD"
where ruby "homebrew/evtui.rb is Ruby" -c "$packaging/homebrew/evtui.rb"
where nix-instantiate "nix/flake.nix is Nix" --parse "$packaging/nix/flake.nix"
if command -v dh >/dev/null && [ -e /usr/share/dpkg/architecture.mk ]; then
	check "debian/rules is a makefile" sh -c "make -n -f $packaging/debian/rules override_dh_installchangelogs"
else
	echo "skipped: debian/rules: no debhelper here"
fi
count
