# The programs that read the files of deploy/, and what the units name.
ARG NODE_IMAGE
FROM ${NODE_IMAGE}
RUN apt-get update && apt-get install -y --no-install-recommends caddy docker-compose haproxy prometheus systemd wget
RUN ln -s /usr/local/bin/node /usr/bin/node \
    && mkdir -p /opt/signpost/docs && touch /opt/signpost/docs/README.md \
    && install -m 0755 /dev/null /usr/local/bin/signpost
