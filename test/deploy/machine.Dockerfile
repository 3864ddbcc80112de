# A machine as docs/how-to/run-as-a-service.md sets it up: the code in /opt/signpost, the user, the units.
ARG SIGNPOST_IMAGE
FROM ${SIGNPOST_IMAGE}
USER root
RUN apt-get update && apt-get install -y --no-install-recommends dbus systemd
RUN mv /app /opt/signpost && mkdir /opt/signpost/docs && touch /opt/signpost/docs/README.md \
    && ln -s /usr/local/bin/node /usr/bin/node \
    && rm /usr/local/bin/signpost && userdel signpost \
    && useradd --system --home-dir /var/lib/signpost --shell /usr/sbin/nologin signpost \
    && install -D -m 0600 /dev/null /etc/signpost/signpost.env \
    # It is booted without a network.
    && printf 'SIGNPOST_SIGNUP=closed\nSIGNPOST_NETWORK_PROBE=off\n' > /etc/signpost/signpost.env
COPY signpost.service signpost-backup.service signpost-backup.timer signpost-failed@.service /etc/systemd/system/
COPY signpost.sh /usr/local/bin/signpost
RUN chmod 755 /usr/local/bin/signpost
