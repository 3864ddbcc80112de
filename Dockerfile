# A release of Debian and of Node; both stages that compile and the image itself are made from it.
ARG NODE_IMAGE=node:24-trixie-slim

# The packages that run, with SQLite compiled here rather than downloaded as a binary.
FROM ${NODE_IMAGE} AS packages
RUN apt-get update \
    && apt-get install -y --no-install-recommends g++ make python3 \
    && rm -rf /var/lib/apt/lists/*
ENV npm_config_build_from_source=true npm_config_nodedir=/usr/local
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY mcp/package.json mcp/
COPY server/package.json server/
# The second browser, for machines that have none, is left out; so is what only compiling needs.
RUN npm ci --omit=dev --workspace=contract --workspace=mcp --workspace=server \
    && rm -rf node_modules/@sparticuz node_modules/sqlite3/deps node_modules/sqlite3/src \
    && find node_modules/sqlite3/build -type f ! -name '*.node' -delete

# The server's own code.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY mcp/package.json mcp/
COPY server/package.json server/
RUN npm ci --ignore-scripts
COPY config/tsconfig.base.json config/
COPY contract contract
COPY mcp mcp
COPY server server
RUN node_modules/.bin/tsc --build contract mcp server server/browser

FROM ${NODE_IMAGE}
# The browser, and fonts for what most pages write; the server needs no package of Debian beside these.
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
      chromium-headless-shell fonts-liberation fonts-noto-cjk fonts-noto-color-emoji \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /tmp --shell /usr/sbin/nologin signpost \
    && install -d -m 0700 -o signpost -g signpost /data \
    && ln -s /app/server/bin/signpost.js /usr/local/bin/signpost
WORKDIR /app
COPY LICENSE package.json ./
COPY icons icons
COPY --from=packages /app/node_modules node_modules
COPY contract/package.json contract/
COPY --from=build /app/contract/dist contract/dist
COPY mcp/package.json mcp/
COPY mcp/bin mcp/bin
COPY --from=build /app/mcp/dist mcp/dist
COPY server/package.json server/
COPY server/bin server/bin
COPY server/assets server/assets
COPY --from=build /app/server/dist server/dist
COPY deploy/health-check.mjs ./
# A home folder that can be written where the root file system cannot.
ENV NODE_ENV=production HOME=/tmp SIGNPOST_HOST=0.0.0.0 SIGNPOST_DATA_DIR=/data \
    SIGNPOST_BROWSER_PATH=/usr/bin/chromium-headless-shell
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Whether the process answers. Whether it should get requests, a balancer asks at /readyz.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/app/health-check.mjs"]
ENTRYPOINT ["node", "/app/server/bin/signpost.js"]
CMD ["start"]
