/** What Docker hides or protects of /proc and /sys in a container. */
const MASKED = [
  '/proc/acpi',
  '/proc/kcore',
  '/proc/keys',
  '/proc/latency_stats',
  '/proc/timer_list',
  '/sys/firmware',
];
const READ_ONLY = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

const mount = (destination, type, source, ...options) => ({ destination, type, source, options });
const SYSTEM_MOUNTS = [
  mount('/proc', 'proc', 'proc', 'nosuid', 'noexec', 'nodev'),
  mount('/dev', 'tmpfs', 'tmpfs', 'nosuid', 'strictatime', 'mode=755', 'size=65536k'),
  mount('/dev/pts', 'devpts', 'devpts', 'nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620'),
  mount('/dev/mqueue', 'mqueue', 'mqueue', 'nosuid', 'noexec', 'nodev'),
  mount('/sys', 'sysfs', 'sysfs', 'nosuid', 'noexec', 'nodev', 'ro'),
];
/** Docker's own where the service does not say. */
const SHM_SIZE = '64m';

/** The keys of a service that this file or its caller heeds; one that is not here would go unchecked. */
const HEEDED = [
  ...[
    'build',
    'cap_add',
    'cap_drop',
    'depends_on',
    'environment',
    'healthcheck',
    'image',
    'init',
    'networks',
    'ports',
  ],
  ...['read_only', 'security_opt', 'shm_size', 'stop_grace_period', 'tmpfs', 'user', 'volumes'],
  // Of the engine and its control groups alone.
  ...['logging', 'mem_limit', 'pids_limit', 'restart'],
];

function tmpfsMount(words) {
  const [path, options] = words.split(':');
  return mount(path, 'tmpfs', 'tmpfs', 'nosuid', 'nodev', 'noexec', ...(options?.split(',') ?? []));
}

/**
 * Makes the configuration that an OCI runtime takes from a service of compose.yaml and what its image says, with the
 * restrictions that Docker would put on it. `binds` are the host's folders and files: source, target, `isReadOnly`.
 */
export function ociConfig({ service, image, rootfs, netns, binds, seccomp, init }) {
  const unheeded = Object.keys(service).filter((key) => !HEEDED.includes(key));
  if (unheeded.length > 0) throw new Error(`The checks do not know these keys of a service: ${unheeded}`);
  if (String(service.cap_drop) !== 'ALL') throw new Error('A service keeps capabilities.');
  const capabilities = (service.cap_add ?? []).map((name) => `CAP_${name}`);
  const [uid, gid] = (service.user ?? image.user).split(':').map(Number);
  const environment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
  Object.assign(environment, image.environment, service.environment);
  const args = [
    ...(service.init === true ? ['/sbin/docker-init', '--'] : []),
    ...image.entrypoint,
    ...image.command,
  ];
  const shared = [...binds, ...(service.init === true ? [{ ...init, isReadOnly: true }] : [])];
  return {
    ociVersion: '1.0.2',
    root: { path: rootfs, readonly: service.read_only === true },
    hostname: 'container',
    process: {
      terminal: false,
      user: { uid, gid },
      args,
      env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      cwd: image.workdir,
      capabilities: {
        bounding: capabilities,
        effective: capabilities,
        inheritable: [],
        permitted: capabilities,
        ambient: [],
      },
      noNewPrivileges: service.security_opt.includes('no-new-privileges:true'),
    },
    mounts: [
      ...SYSTEM_MOUNTS,
      mount(
        '/dev/shm',
        'tmpfs',
        'shm',
        'nosuid',
        'noexec',
        'nodev',
        'mode=1777',
        `size=${service.shm_size ?? SHM_SIZE}`,
      ),
      ...(service.tmpfs ?? []).map(tmpfsMount),
      ...shared.map(({ source, target, isReadOnly }) =>
        mount(target, 'bind', source, 'bind', isReadOnly ? 'ro' : 'rw'),
      ),
    ],
    linux: {
      namespaces: [
        ...['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })),
        { type: 'network', path: netns },
      ],
      maskedPaths: MASKED,
      readonlyPaths: READ_ONLY,
      ...(seccomp === undefined ? {} : { seccomp }),
    },
  };
}
