# The programs that read the files of deploy/, and what the units name.
ARG NODE_IMAGE
FROM ${NODE_IMAGE}
RUN apt-get update && apt-get install -y --no-install-recommends caddy docker-compose haproxy nginx-light openssl prometheus systemd wget yq
# The certificate that the example for nginx names.
RUN mkdir -p /etc/letsencrypt/live/signpost.example && cd /etc/letsencrypt/live/signpost.example \
    && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=signpost.example -keyout privkey.pem -out fullchain.pem
RUN ln -s /usr/local/bin/node /usr/bin/node \
    && mkdir -p /opt/signpost/docs && touch /opt/signpost/docs/README.md \
    && install -m 0755 /dev/null /usr/local/bin/signpost
