#!/bin/sh
# Runs the standby of deploy/compose.ha.yaml. On its first start, it copies the primary.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_basebackup -D "$PGDATA" --checkpoint=fast --write-recovery-conf --create-slot --slot standby \
    -d "host=$PRIMARY user=replicator application_name=standby"; do
    # An attempt that was interrupted may have left the slot behind.
    psql -d "host=$PRIMARY user=replicator dbname=postgres replication=database" -c 'drop_replication_slot standby' || true
    sleep 2
  done
fi
# Once promoted, it has no standby of its own.
exec postgres -c synchronous_standby_names=
