#!/bin/sh
# For a container's HEALTHCHECK: ends with 0 where the server in this container answers. Starting Node.js for it every time
# would take a quarter of a second of a processor core.
host=${SIGNPOST_HOST:-127.0.0.1}
case $host in
  0.0.0.0 | ::) host=127.0.0.1 ;;
  *:*) host="[$host]" ;;
esac
# No proxy is asked for this container's own server, and any failure is 1, the only code of one that Docker knows.
unset http_proxy
wget -q -T 4 -O /dev/null "http://$host:${SIGNPOST_PORT:-3000}/healthz" || exit 1
