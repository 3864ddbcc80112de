#!/bin/sh
# Makes .env for compose.yaml, with new secrets: sh deploy/make-env.sh [PUBLIC_URL]
set -eu
umask 077
file=$(dirname "$0")/../.env
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }

if [ -e "$file" ]; then
  echo "$file is there already, and its secrets belong to the database: nothing was changed." >&2
  exit 1
fi
cat > "$file" <<END
SIGNPOST_PUBLIC_URL=${1:-http://127.0.0.1:8080}
POSTGRES_PASSWORD=$(random)
SIGNPOST_SECRET=$(random)
SIGNPOST_METRICS_TOKEN=$(random)
END
echo "Made .env. Keep a copy of SIGNPOST_SECRET apart from the database: a backup is worth nothing without it."
