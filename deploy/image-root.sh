#!/bin/sh
# While the image is built: copies what runs in it into a folder, as /image is to be /. These are the packages of Debian
# that are named here, those of the libraries that their programs load, and nothing that only installs, or is for graphics
# cards and desktops, which the browser's packages ask for too.
set -eu
target=$1

# A shell with its tools in one program, for the health check and for people; the browser; fonts for what most pages write.
packages='base-files base-passwd busybox chromium-common chromium-headless-shell fontconfig-config
  fonts-liberation fonts-noto-cjk fonts-noto-color-emoji libc-bin libc6 libnss3'
# Of these packages: manuals, changes, other languages, character sets that are not UTF-8, libraries and tools that nothing
# here uses, and what a browser with windows has: resources, tools, reports of crashes. East Asian characters have one
# font, whose bold ones the browser draws itself.
unused='^/usr/share/(doc/[^/]*/([^c]|changelog)[^/]*|info|lintian|locale|man|bash-completion|gcc|gdb)(/|$)|/gconv/
  |/lib(brotlienc|expatw|mvec|smime3|ssl3)\.so|/(ldconfig|localedef|zdump|zic)$
  |^/usr/lib/chromium/(chrome_.*|libVk.*|locales.*|resources.pak|.*TOC)$
  |/Noto(SansCJK-Bold|SerifCJK-.*)\.ttc$'

is_used() { grep -E '^/.' | grep -vE "$(echo "$unused" | tr -d ' \n')"; }
programs="/usr/lib/chromium/chromium-headless-shell /usr/local/bin/node
  $(dpkg-query --listfiles busybox libc-bin | grep '/bin/' | is_used)"

libraries=$(for program in $programs; do ldd "$program" 2> /dev/null || true; done | sed -n 's/.* => \(\/[^ ]*\).*/\1/p' | xargs realpath | sort -u)
# Some packages call /lib what is /usr/lib.
owners=$(for library in $libraries; do
  dpkg-query --search "$library" 2> /dev/null || dpkg-query --search "${library#/usr}"
done | sed 's/:.*//')
# shellcheck disable=SC2086
packages=$(printf '%s\n' $packages $owners | sort -u)

mkdir "$target"
# shellcheck disable=SC2086
dpkg-query --listfiles $packages | is_used \
  | tar --create --no-recursion --files-from=- --file=- 2> /dev/null | tar --extract --directory="$target"
# What was made when the packages were installed.
cp --archive --parents /etc/fonts /etc/group /etc/nsswitch.conf /etc/passwd "$target"
ldconfig -r "$target"
for tool in $(busybox --list | grep -vE '^(dpkg|rpm)'); do
  [ -e "$target/usr/bin/$tool" ] || ln -s busybox "$target/usr/bin/$tool"
done
chromium=$target/usr/lib/chromium
node "$(dirname "$0")/slim-program.mjs" "$chromium/chromium-headless-shell" "$target/usr/lib" \
  -- --no-sandbox --dump-dom 'data:text/html,<body><script>document.body.append(6 * 7, navigator.userAgent)</script>'
node "$(dirname "$0")/slim-resources.mjs" "$chromium/headless_lib_strings.pak"
# The list by which programs that look for known holes know what is in the image.
mkdir -p "$target/var/lib/dpkg"
# shellcheck disable=SC2086
dpkg-query --status $packages > "$target/var/lib/dpkg/status"
