import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../mcp-conformance/report.mjs';

const OBJECT_FIELDS = 'apiVersion kind metadata spec';
const METADATA_FIELDS = 'name labels';
/** The fields of Kubernetes' API that the manifest may use, by the path of their parent. Kubernetes ignores others. */
const FIELDS = {
  'PersistentVolumeClaim.spec': 'accessModes resources',
  'Service.spec': 'selector ports',
  'Service.spec.ports': 'name port targetPort',
  'Deployment.spec': 'replicas strategy selector template',
  'Deployment.spec.strategy': 'type',
  'Deployment.spec.selector': 'matchLabels',
  'Deployment.spec.template': 'metadata spec',
  'Deployment.spec.template.spec':
    'terminationGracePeriodSeconds automountServiceAccountToken enableServiceLinks securityContext containers volumes',
  'Deployment.spec.template.spec.securityContext':
    'runAsNonRoot runAsUser runAsGroup fsGroup fsGroupChangePolicy seccompProfile',
  'Deployment.spec.template.spec.containers':
    'name image ports env startupProbe livenessProbe readinessProbe resources securityContext volumeMounts',
  'Deployment.spec.template.spec.containers.ports': 'name containerPort',
  'Deployment.spec.template.spec.containers.env': 'name value',
  'Deployment.spec.template.spec.containers.securityContext':
    'allowPrivilegeEscalation readOnlyRootFilesystem capabilities',
  'Deployment.spec.template.spec.containers.volumeMounts': 'name mountPath readOnly',
  'Deployment.spec.template.spec.volumes': 'name persistentVolumeClaim emptyDir secret',
};
const PROBE_FIELDS = ['httpGet', 'periodSeconds', 'timeoutSeconds', 'failureThreshold'];

function fieldsAt(path) {
  if (!path.includes('.')) return OBJECT_FIELDS;
  return path.endsWith('.metadata') ? METADATA_FIELDS : FIELDS[path];
}

function assertFields(value, path) {
  const known = fieldsAt(path);
  if (known === undefined) return;
  for (const one of [value].flat())
    for (const [name, inner] of Object.entries(one)) {
      assert.ok(known.split(' ').includes(name), `${path} has no field ${name}`);
      assertFields(inner, `${path}.${name}`);
    }
}

/** Checks that the parts of kubernetes.yaml fit each other, the image and the variables. `read` parses it. */
export async function checkKubernetes({ root, read }) {
  const text = (path) => readFileSync(join(root, path), 'utf8');
  const objects = await read();
  const [claim, deployment, service] = objects;
  const { metadata, spec: pod } = deployment.spec.template;
  const [container] = pod.containers;
  const variables = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));

  await check('kubernetes.yaml: has only fields that Kubernetes knows', async () => {
    assert.deepEqual(
      objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`),
      ['v1 PersistentVolumeClaim', 'apps/v1 Deployment', 'v1 Service'],
    );
    for (const object of objects) assertFields(object, object.kind);
  });
  await check('kubernetes.yaml: the service, the claim and the volumes belong to the pod', async () => {
    assert.deepEqual(deployment.spec.selector.matchLabels, metadata.labels);
    assert.deepEqual(service.spec.selector, metadata.labels);
    const [port] = container.ports;
    assert.ok(text('Dockerfile').includes(`EXPOSE ${port.containerPort}\n`));
    assert.equal(service.spec.ports[0].targetPort, port.name);
    const volumes = Object.fromEntries(pod.volumes.map((volume) => [volume.name, volume]));
    assert.deepEqual(
      container.volumeMounts.map(({ name }) => name),
      Object.keys(volumes),
    );
    assert.equal(volumes.data.persistentVolumeClaim.claimName, claim.metadata.name);
    const paths = Object.fromEntries(container.volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
    assert.ok(text('Dockerfile').includes(`SIGNPOST_DATA_DIR=${paths.data}`));
    for (const [name, value] of Object.entries(variables))
      if (name.endsWith('_FILE')) assert.ok(value.startsWith(`${paths.secrets}/`), name);
    // The user of the image reads the secret by its group.
    assert.equal(volumes.secrets.secret.defaultMode, 0o440);
    const page = text('docs/how-to/run-in-kubernetes.md');
    for (const [name, value] of Object.entries(variables))
      if (name.endsWith('_FILE'))
        assert.ok(page.includes(`--from-literal=${value.slice(paths.secrets.length + 1)}=`), name);
  });
  await check('kubernetes.yaml: sets only variables that exist', async () => {
    const known = text('docs/reference/variables.md');
    for (const name of Object.keys(variables)) assert.ok(known.includes(`| \`${name}\` |`), name);
  });
  await check('kubernetes.yaml: one server on SQLite, which is never beside its successor', async () => {
    assert.equal(variables.SIGNPOST_DATABASE_URL_FILE, undefined);
    assert.deepEqual([deployment.spec.replicas, deployment.spec.strategy], [1, { type: 'Recreate' }]);
    assert.deepEqual(claim.spec.accessModes, ['ReadWriteOnce']);
  });
  await check(
    'kubernetes.yaml: probes ask the server, and only its process decides of a restart',
    async () => {
      const paths = {};
      for (const name of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        const { httpGet, ...times } = container[name];
        assert.ok(Object.keys(container[name]).every((field) => PROBE_FIELDS.includes(field)));
        assert.ok(Object.values(times).every((value) => Number.isInteger(value) && value > 0));
        assert.equal(httpGet.port, container.ports[0].name);
        paths[name] = httpGet.path;
      }
      assert.deepEqual(paths, {
        startupProbe: '/healthz',
        livenessProbe: '/healthz',
        readinessProbe: '/readyz',
      });
    },
  );
  await check(
    'kubernetes.yaml: runs as the user of the image, with no more rights than it needs',
    async () => {
      const [, user] = /^USER (\d+):\1$/mu.exec(text('Dockerfile'));
      const { runAsUser, runAsGroup, fsGroup, runAsNonRoot, seccompProfile } = pod.securityContext;
      assert.deepEqual(
        [runAsUser, runAsGroup, fsGroup, runAsNonRoot],
        [...Array(3).fill(Number(user)), true],
      );
      assert.deepEqual(seccompProfile, { type: 'Localhost', localhostProfile: 'seccomp.json' });
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.equal(pod.automountServiceAccountToken, false);
      assert.ok(container.resources.limits.memory !== undefined);
      // The same time that the other files of deploy/ give the server to finish a full queue.
      assert.ok(text('compose.yaml').includes(`stop_grace_period: ${pod.terminationGracePeriodSeconds}s`));
    },
  );
}
