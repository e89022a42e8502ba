# The sources need the address and checksum of a released tarball.
class Evtui < Formula
  desc "Viewer for the eventlogs of Haskell programs"
  homepage "https://github.com/OWNER/evtui"
  url "https://github.com/OWNER/evtui/releases/download/v0.1.0/evtui-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "BSD-3-Clause"

  depends_on "make" => :build
  depends_on "pkgconf" => :build
  depends_on "uthash" => :build
  depends_on "elfutils"
  depends_on "libtermkey"
  depends_on "ncurses"
  depends_on "sqlite"
  depends_on "utf8proc"
  depends_on "xz"
  depends_on "zlib"
  depends_on "zstd"
  depends_on :linux

  def install
    system "gmake", "install", "prefix=#{prefix}", "zshdir=#{zsh_completion}",
           "mandir=#{man}", "datadir=#{share}"
  end

  test do
    (testpath/"empty.eventlog").write ""
    assert_match "empty", shell_output("#{bin}/evtui stats empty.eventlog 2>&1", 1)
  end
end
