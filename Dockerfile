# A release of Node.js and Debian. docs/how-to/run-in-a-container.md says how to build from one digest of it.
ARG NODE_IMAGE=node:24-trixie-slim

# The npm packages that the server loads, with SQLite compiled here instead of downloaded as a binary.
FROM ${NODE_IMAGE} AS packages
RUN apt-get update && apt-get install -y --no-install-recommends g++ make python3
ENV npm_config_build_from_source=true npm_config_nodedir=/usr/local JOBS=max
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY mcp/package.json mcp/
COPY server/package.json server/
# Without the browser that @sparticuz/chromium contains: the image has Debian's.
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --workspace=server && rm -rf node_modules/@sparticuz

# The bundled programs, and the documents.
FROM packages AS build
RUN --mount=type=cache,target=/root/.npm \
    npm ci --include=dev --ignore-scripts --workspace=contract --workspace=mcp --workspace=server
COPY config/tsconfig.base.json config/
COPY contract contract
COPY mcp mcp
COPY server server
COPY docs docs
COPY deploy deploy
COPY LICENSE SECURITY.md CHANGELOG.md compose.yaml ./
RUN node server/bundle.mjs

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title=Signpost \
    org.opencontainers.image.description="Screenshots, PDFs and UK postcodes from a server of your own." \
    org.opencontainers.image.version=0.1.0 \
    org.opencontainers.image.authors="The Signpost maintainers" \
    org.opencontainers.image.licenses=MIT
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
      chromium-headless-shell fonts-liberation fonts-noto-cjk fonts-noto-color-emoji fonts-noto-core libnss3-tools wget \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --no-create-home --home-dir /tmp --shell /usr/sbin/nologin signpost \
    && install -d -m 0700 -o signpost -g signpost /data \
    && ln -s /app/server/bin/signpost.js /usr/local/bin/signpost
WORKDIR /app
COPY LICENSE package.json deploy/health-check.sh ./
COPY icons icons
COPY --from=packages /app/node_modules node_modules
COPY server/package.json server/
COPY server/bin server/bin
COPY server/assets server/assets
COPY --from=build /app/server/dist/browser server/dist/browser
COPY --from=build /app/server/dist/documents server/dist/documents
COPY --from=build /app/server/dist/program server/dist/program
# HOME is a folder that can be written to even if the root file system is read-only.
ENV NODE_ENV=production HOME=/tmp SIGNPOST_HOST=0.0.0.0 SIGNPOST_DATA_DIR=/data \
    SIGNPOST_BROWSER_PATH=/usr/bin/chromium-headless-shell
USER 10001:10001
VOLUME /data
EXPOSE 3000
# Checks that the process responds. Whether it should get requests, a load balancer finds out at /readyz.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["sh", "/app/health-check.sh"]
ENTRYPOINT ["node", "/app/server/bin/signpost.js"]
CMD ["start"]
