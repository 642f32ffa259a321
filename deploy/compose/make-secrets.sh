#!/bin/sh
# Makes the secrets of compose.yaml, once. Keep the master key: the service cannot read its secrets without it.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo "secrets/ is there already; nothing was changed" >&2
  exit 1
fi
umask 077
mkdir secrets
password=$(openssl rand -hex 24)
printf '%s' "$password" > secrets/postgres_password
printf 'postgres://ledger:%s@postgres:5432/ledger' "$password" > secrets/database_url
openssl rand -base64 32 > secrets/master_key
# The containers run as another user, and Compose mounts the files as they are. The folder stays closed to others.
chmod 444 secrets/*
