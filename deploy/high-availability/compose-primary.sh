#!/bin/sh
# Prepares the primary of deploy/compose.ha.yaml for its standby, when its database is created. The image runs it.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$REPLICATION_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
create role replicator login replication password :'password';
-- Takes effect when the image starts the server again; commits wait for the standby from then on.
alter system set synchronous_standby_names = 'standby';
SQL
echo 'host replication replicator all scram-sha-256' >>"$PGDATA/pg_hba.conf"
