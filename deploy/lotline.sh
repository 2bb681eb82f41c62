#!/bin/sh
# /usr/local/bin/lotline: runs a command of Lotline as the service does, for example: lotline doctor
exec sudo -u lotline node --env-file=/etc/lotline/lotline.env /opt/lotline/bin/lotline.mjs "$@"
