#!/bin/sh
# Called by HAProxy with the address ($3) and port ($4) of a server. Succeeds if it is the primary.
# Needs psql and a role that may connect; the password is read from ~/.pgpass of the user haproxy runs as.
[ "$(PGCONNECT_TIMEOUT=2 psql -h "$3" -p "$4" -U lotline -d lotline -Atqc 'select not pg_is_in_recovery()')" = t ]
