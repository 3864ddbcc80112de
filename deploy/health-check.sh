#!/bin/bash
# For a container's HEALTHCHECK: ends with 0 where the server in this container answers. Bash opens the connection by
# itself, since the image has no curl, and starting Node.js every time takes a quarter of a second of a processor core.
host=${SIGNPOST_HOST:-127.0.0.1}
case $host in 0.0.0.0 | ::) host=127.0.0.1 ;; esac
exec 3<> "/dev/tcp/$host/${SIGNPOST_PORT:-3000}" || exit 1
printf 'GET /healthz HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' localhost >&3
read -r -t 4 -u 3 _ status _
echo "/healthz answered ${status:-nothing in time}"
[ "$status" = 200 ]
