// The files for operators agree with the program: metric names, variables and commands.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { openMetrics } from '../../src/api/metrics.ts'
import { measureService, workCounters } from '../../src/bin/service-metrics.ts'
import { watchRejections } from '../../src/bin/unhandled-rejections.ts'
import { variables } from '../../src/config.ts'

const folder = join(import.meta.dirname, '../../deploy')
const read = (name: string) => readFile(join(folder, name), 'utf8')

const served = async (): Promise<Set<string>> => {
  const { registry } = openMetrics()
  const more = new Registry()
  workCounters(more)
  watchRejections({ log: { error: () => {} }, registry: more })()
  measureService(more, {
    database: {
      within: () => {
        throw new Error('not needed')
      },
    },
    pools: {},
    freeBytes: async () => 0,
  })
  const text = (await registry.metrics()) + (await more.metrics())
  return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!))
}

test('alerts, dashboard and documentation use metrics that exist', async () => {
  const names = await served()
  const docs = await readFile(join(folder, '../docs/operate.md'), 'utf8')
  for (const [file, text] of [
    ['alerts.yml', await read('alerts.yml')],
    ['alerts.test.yml', await read('alerts.test.yml')],
    ['grafana.json', await read('grafana.json')],
    ['operate.md', docs],
  ] as const) {
    const used = [...text.matchAll(/\b(?:lotline|nodejs|process)_[a-z0-9_]+\b(?![.:])/g)].map(([name]) =>
      name!.replace(/_bucket$/, ''),
    )
    expect(used.length).toBeGreaterThan(5)
    expect(
      used.filter((name) => !names.has(name)),
      file,
    ).toEqual([])
  }
  const documented = [...names].filter((name) => name.startsWith('lotline_') && !docs.includes(name))
  expect(documented).toEqual([])
})

test('the environment files name variables that exist', async () => {
  const known = new Set([...Object.keys(variables), 'NODE_COMPILE_CACHE', 'POSTGRES_PASSWORD', 'API_PORT', 'API2_PORT'])
  const env = `${await read('lotline.env')}\n${await read('compose.env.example')}`
  const given = [...env.matchAll(/^#? ?([A-Z_0-9]+)=/gm)].map(([, name]) => name!)
  const container = [...(await read('Containerfile')).matchAll(/\b([A-Z_]{4,})=\S/g)].map(([, name]) => name!)
  expect([...given, ...container].filter((name) => !known.has(name) && name !== 'BASE')).toEqual([])
})

test('a market of one’s own needs no change to the files: packs and sources have a folder, in a container a writable one', async () => {
  const folders = async (name: string) =>
    [...(await read(name)).matchAll(/\b(?:PACKS|SOURCES)_DIR(?:=|: )(\S+)/g)].map(([, folder]) => folder)
  for (const name of ['Containerfile', 'compose.yml'])
    expect(await folders(name), name).toEqual(['/data/packs', '/data/sources'])
  expect(await read('compose.yml')).toContain('volumes: [lotline:/data]')
  expect((await folders('lotline.env')).sort()).toEqual(['/etc/lotline/packs', '/etc/lotline/sources'])
})

test('compose.yml has two API containers with a host port each, and the example names every variable', async () => {
  const text = await read('compose.yml')
  const example = await read('compose.env.example')
  const used = [...text.matchAll(/\$\{([A-Z_0-9]+)/g)].map(([, name]) => name!)
  expect(used.filter((name) => !new RegExp(`^${name}=`, 'm').test(example))).toEqual([])
  expect(text.match(/ports: .*/g)).toEqual([
    `ports: ['127.0.0.1:\${API_PORT:-3000}:3000']`,
    `ports: ['127.0.0.1:\${API2_PORT:-3001}:3000']`,
    'ports: []',
  ])
  // Names of containers differ between podman and docker; names of services do not.
  const [, service] = /compose -f deploy\/compose\.yml exec (\w+) node/.exec(await read('README.md'))!
  expect(text).toMatch(new RegExp(`^  ${service}:$`, 'm'))
  // podman-compose 1.0 of Debian 12 does not read an empty default.
  expect(text).not.toContain(':-}')
})

test('the container runs as a user without rights, with a health check and a stop signal', async () => {
  const text = await read('Containerfile')
  expect(text.match(/^FROM /gm)).toHaveLength(2)
  expect(text).toMatch(/^USER lotline$/m)
  expect(text).toMatch(/^HEALTHCHECK /m)
  expect(text).toMatch(/^STOPSIGNAL SIGTERM$/m)
})

test('the unit lets V8 and backups work, and its command uses the same folders', async () => {
  const [unit, command, readme] = await Promise.all(['lotline.service', 'lotline.sh', 'README.md'].map(read))
  // Without @pkey, systemd 252 ends Node with SIGSYS.
  expect(unit).toMatch(/^SystemCallFilter=@system-service @pkey$/m)
  expect(unit).toMatch(/^SystemCallErrorNumber=EPERM$/m)
  const [, env] = /^EnvironmentFile=(.+)$/m.exec(unit!)!
  const [, program] = /^WorkingDirectory=(.+)$/m.exec(unit!)!
  expect(command).toContain(`--env-file=${env} ${program}/bin/lotline.mjs`)
  const [, backups] = /^# BACKUP_DIR=(.+)$/m.exec(await read('lotline.env'))!
  expect(unit).toContain(`ReadWritePaths=-${backups}`)
  for (const path of [env, program, backups]) expect(readme).toContain(path)
  const [, cache] = /^Environment=(NODE_COMPILE_CACHE=.+)$/m.exec(unit!)!
  expect(command).toContain(`${cache} exec node`)
  expect(command).toContain(`cd ${program}`)
  const written = [...readme!.matchAll(/lotline (?:backup|restore) ([^$…\s]+)/g)].map(([, file]) => file!)
  expect(written.length).toBeGreaterThan(1)
  for (const file of written) expect(file.startsWith(`${backups}/`), file).toBe(true)
  // An upgrade that finds the folder of an earlier one does not move the program into it, and copies what was installed.
  const upgrade = /## Upgrade.+/s.exec(readme!)![0]
  expect(upgrade).toMatch(new RegExp(`rm -rf ${program}\\.old.*\nmv ${program} ${program}\\.old`))
  for (const name of ['lotline.sh', 'lotline.service']) expect(upgrade).toMatch(new RegExp(`install .* deploy/${name}`))
})

const promtool = ['/usr/bin/promtool', '/usr/local/bin/promtool'].find((path) => existsSync(path))
test.skipIf(promtool === undefined)('promtool accepts the alert rules and their tests pass', async () => {
  const run = (...args: string[]) => promisify(execFile)(promtool!, args, { cwd: folder })
  expect((await run('check', 'rules', 'alerts.yml')).stdout).toMatch(/SUCCESS: \d+ rules found/)
  expect((await run('test', 'rules', 'alerts.test.yml')).stdout).toContain('SUCCESS')
})

const installed = (name: string) =>
  ['/usr/bin', '/usr/sbin', '/usr/local/bin'].some((dir) => existsSync(join(dir, name)))
const execute = promisify(execFile)

test.skipIf(!installed('haproxy'))('haproxy accepts its example', async () => {
  await execute('haproxy', ['-c', '-f', 'haproxy.cfg'], { cwd: folder })
})

test.skipIf(!installed('caddy'))('Caddy accepts its example', async () => {
  const { stderr } = await execute('caddy', ['adapt', '--config', 'Caddyfile', '--validate'], { cwd: folder })
  expect(stderr).not.toMatch(/error/i)
})

test.skipIf(!installed('nginx') || !installed('openssl'))('nginx accepts its example', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lotline-nginx-'))
  try {
    const [key, certificate] = [join(dir, 'privkey.pem'), join(dir, 'fullchain.pem')]
    const subject = ['-subj', '/CN=lotline.example.com', '-keyout', key, '-out', certificate]
    await execute('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject])
    const example = (await read('nginx.conf'))
      .replaceAll('/etc/letsencrypt/live/lotline.example.com', dir)
      .replaceAll('/var/log/nginx', dir)
    await writeFile(join(dir, 'nginx.conf'), `events {}\npid ${dir}/pid;\nerror_log ${dir}/log;\nhttp { ${example} }\n`)
    expect((await execute('nginx', ['-t', '-c', join(dir, 'nginx.conf')])).stderr).toContain('test is successful')
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})
