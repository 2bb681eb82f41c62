#!/bin/sh
# /usr/local/bin/lotline: runs a command of Lotline as the service does, for example: lotline doctor
# Relative paths start at the current folder. If the user lotline cannot open it, they start at /opt/lotline, as for the service.
exec sudo -u lotline sh -c '
  [ -x "$PWD" ] || { echo "The user lotline cannot open $PWD: relative paths start at /opt/lotline." >&2; cd /opt/lotline; }
  NODE_COMPILE_CACHE=/var/cache/lotline exec node --env-file=/etc/lotline/lotline.env /opt/lotline/bin/lotline.mjs "$@"
' lotline "$@"
