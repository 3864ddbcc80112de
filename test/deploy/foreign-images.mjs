const POSTGRES_BIN = '/usr/lib/postgresql/17/bin';

/** What the entry point of the official image does with its variables. */
const POSTGRES = `
set -e
cd /tmp
data=/var/lib/postgresql/data
if [ ! -e $data/PG_VERSION ]; then
  printf %s "$POSTGRES_PASSWORD" > password
  initdb -D $data -U "$POSTGRES_USER" --pwfile=password --auth-host=scram-sha-256 --auth-local=trust > initdb.log
  echo 'host all all all scram-sha-256' >> $data/pg_hba.conf
  echo "CREATE DATABASE $POSTGRES_DB" | postgres --single -D $data postgres > create.log
fi
exec postgres -D $data -c 'listen_addresses=*' -c unix_socket_directories=/var/run/postgresql
`;

const settings = (command, user, environment = {}) => ({
  entrypoint: [],
  command,
  user,
  workdir: '/',
  environment,
});

/** Debian's programs in place of the official images, with what these run by default. */
export const foreignImages = (rootfs) => ({
  balancer: {
    rootfs,
    settings: settings(['haproxy', '-W', '-db', '-f', '/usr/local/etc/haproxy/haproxy.cfg'], '99:99'),
  },
  caddy: {
    rootfs,
    settings: settings(
      ['caddy', 'run', '--config', '/etc/caddy/Caddyfile', '--adapter', 'caddyfile'],
      '0:0',
      {
        XDG_DATA_HOME: '/data',
        XDG_CONFIG_HOME: '/config',
      },
    ),
  },
  postgres: {
    rootfs,
    settings: settings(['sh', '-c', POSTGRES], '999:999', { PATH: `${POSTGRES_BIN}:/usr/bin:/bin` }),
  },
});
