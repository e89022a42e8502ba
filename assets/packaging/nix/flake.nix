{
  description = "Viewer for the eventlogs of Haskell programs";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      each = f: nixpkgs.lib.genAttrs [ "x86_64-linux" "aarch64-linux" ] (system: f nixpkgs.legacyPackages.${system});
      inputs = pkgs: with pkgs; [ elfutils libtermkey ncurses sqlite unibilium utf8proc uthash xz zlib zstd ];
    in
    {
      packages = each (pkgs: rec {
        evtui = pkgs.stdenv.mkDerivation {
          pname = "evtui";
          version = "0.1.0";
          src = self;
          nativeBuildInputs = [ pkgs.pkg-config ];
          buildInputs = inputs pkgs;
          makeFlags = [ "prefix=$(out)" ];
          enableParallelBuilding = true;
          doInstallCheck = true;
          installCheckPhase = "$out/bin/evtui stats assets/bazaar.eventlog >/dev/null";
          meta = {
            license = pkgs.lib.licenses.bsd3;
            mainProgram = "evtui";
            platforms = pkgs.lib.platforms.linux;
          };
        };
        default = evtui;
      });

      devShells = each (pkgs: {
        default = pkgs.mkShell {
          nativeBuildInputs = [ pkgs.pkg-config ];
          buildInputs = inputs pkgs ++ (with pkgs; [ cmocka html-tidy jansson libvterm-neovim protobuf ]);
        };
      });
    };
}
