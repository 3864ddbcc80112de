#!/bin/sh
# Runs a command of Signpost as signpost.service runs the server: its user, its variables, its data folder.
# Install it as /usr/local/bin/signpost, then: signpost doctor
exec systemd-run --quiet --collect --wait --pipe --uid=signpost --working-directory="$PWD" \
  --property=EnvironmentFile=-/etc/signpost/signpost.env --property=UMask=0077 \
  --setenv=NODE_ENV=production --setenv=SIGNPOST_DATA_DIR=/var/lib/signpost --setenv=HOME=/var/lib/signpost \
  /usr/bin/node /opt/signpost/server/bin/signpost.js "$@"
