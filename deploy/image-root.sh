#!/bin/sh
# While the image is built: copies what runs in it into a folder, as /image is to be /. These are the packages of Debian
# that are named here, those of the libraries that their programs load, and nothing that only installs, or is for graphics
# cards and desktops, which the browser's packages ask for too.
set -eu
target=$1

# A shell and its tools, for the health check and for people; the browser; fonts for what most pages write.
packages='base-files base-passwd bash chromium-common chromium-headless-shell coreutils dash fontconfig-config
  fonts-liberation fonts-noto-cjk fonts-noto-color-emoji grep libc-bin libc6 libnss3 sed'
# Of these packages: manuals, changes, other languages, character sets that are not UTF-8, checksums, which need all of
# OpenSSL, and what a browser with windows has: resources, tools, reports of crashes. East Asian characters have one font,
# whose bold ones the browser draws itself.
unused='^/usr/share/(doc/[^/]*/([^c]|changelog)[^/]*|info|lintian|locale|man|bash-completion)(/|$)|/gconv/
  |^/usr/bin/(b2sum|cksum|md5sum|sha[0-9]+sum)$
  |^/usr/lib/chromium/(chrome_.*|libVk.*|locales.*|resources.pak|.*TOC)$
  |/Noto(SansCJK-Bold|SerifCJK-.*)\.ttc$'

is_used() { grep -E '^/.' | grep -vE "$(echo "$unused" | tr -d ' \n')"; }
programs="/usr/lib/chromium/chromium-headless-shell /usr/local/bin/node
  $(dpkg-query --listfiles bash coreutils dash grep libc-bin sed | grep '/bin/' | is_used)"

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
# The list by which programs that look for known holes know what is in the image.
mkdir -p "$target/var/lib/dpkg"
# shellcheck disable=SC2086
dpkg-query --status $packages > "$target/var/lib/dpkg/status"
