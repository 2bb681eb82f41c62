// Three API processes and two workers on one PostgreSQL and one Redis behind nginx: limits are exact across them, changes are
// seen by all within a second, and killing one at a time loses no request. Needs nginx and redis-server.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Store } from '../src/bin/open-store.ts'
import { listKeys, revokeKey } from '../src/store/keys.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf } from './figure.ts'
import { type Environment, type Service, startService } from './service.ts'

export const measure = async (context: Context): Promise<Figure[]> => {
  for (const program of ['nginx', 'redis-server'])
    if (spawnSync(program, ['-v']).error) {
      context.say(`  cluster: skipped, ${program} is not installed (apt-get install nginx redis-server)`)
      return []
    }
  return context.withStore(async (store) => {
    const closing: (() => Promise<unknown>)[] = []
    try {
      const cluster = await openCluster(context, store, closing)
      return [
        ...(await exactLimits(context, cluster)),
        ...(await coherence(context, cluster, store)),
        ...(await killings(context, cluster)),
      ]
    } finally {
      for (const close of closing.reverse()) await close()
    }
  })
}

interface Cluster {
  url: string
  apis: Service[]
  environment: Environment
}

const openCluster = async (context: Context, store: Store, closing: (() => Promise<unknown>)[]): Promise<Cluster> => {
  const dir = join(context.dir, 'cluster')
  await mkdir(dir)
  const redisPort = await freePort()
  const redis = spawn('redis-server', ['--port', `${redisPort}`, '--bind', '127.0.0.1', '--save', '', '--dir', dir], {
    stdio: 'ignore',
  })
  closing.push(() => ended(redis))
  await wait(500)
  const environment: Environment = {
    DATABASE_URL: `postgres://lotline@/lotline?host=${encodeURIComponent(store.address.socketDir!)}`,
    SECRET_KEY: '0'.repeat(64),
    DATA_DIR: dir,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    TRUSTED_PROXIES: '127.0.0.1',
  }
  const apis: Service[] = []
  for (let i = 0; i < 3; i++) apis.push(await startService(environment, 'api'))
  const workers = [await startService(environment, 'worker'), await startService(environment, 'worker')]
  closing.push(() => Promise.all([...apis, ...workers].map((each) => each.stop())))
  const port = await freePort()
  const servers = apis.map(({ url }) => `server ${new URL(url).host} max_fails=0;`).join(' ')
  await writeFile(
    join(dir, 'nginx.conf'),
    `daemon off; pid ${dir}/nginx.pid; error_log ${dir}/error.log; worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off; client_body_temp_path ${dir}/b; proxy_temp_path ${dir}/p; fastcgi_temp_path ${dir}/f; uwsgi_temp_path ${dir}/u; scgi_temp_path ${dir}/s;
  upstream lotline { ${servers} keepalive 32; }
  server { listen 127.0.0.1:${port};
    location / { proxy_pass http://lotline; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $remote_addr; proxy_next_upstream error timeout http_503; proxy_next_upstream_tries 3; } }
}`,
  )
  const nginx = spawn('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf')], { stdio: 'ignore' })
  closing.push(() => ended(nginx))
  await wait(500)
  return { url: `http://127.0.0.1:${port}`, apis, environment }
}

/** 400 requests of one key through all three at once: 120 are let in, not one more. */
const exactLimits = async (context: Context, { url }: Cluster): Promise<Figure[]> => {
  const off: number[] = []
  for (const key of await context.proKeys(context.runs)) {
    const statuses = await Promise.all(Array.from({ length: 400 }, () => ask(url, key)))
    off.push(Math.abs(statuses.filter((status) => status === 200).length - 120))
  }
  return [
    figureOf({
      name: 'cluster: requests beyond or short of the limit',
      unit: 'requests',
      ours: off,
      target: atMost(0, 'ours'),
      note: '400 at once with one pro key through nginx over 3 processes; 120 may pass',
    }),
  ]
}

/** From the change to the last process that still answers as before. */
const coherence = async (context: Context, { apis }: Cluster, store: Store): Promise<Figure[]> => {
  const revoked: number[] = []
  const changed: number[] = []
  for (const key of await context.proKeys(context.runs)) {
    for (const { url } of apis) for (let i = 0; i < 2; i++) await ask(url, key)
    const before = await Promise.all(apis.map(({ url }) => bodyOf(url, key)))
    await store.pool.query(`update permit set description = coalesce(description, '') || ' again' where ctid = (
      select ctid from permit where issued_on is not null order by issued_on desc, permit_id, city_slug limit 1)`)
    let begun = performance.now()
    await store.pool.query(`select pg_notify('lotline_data', 'sf-peninsula')`)
    await Promise.all(
      apis.map(async ({ url }, at) => {
        while ((await bodyOf(url, key)) === before[at]) await wait(5)
      }),
    )
    changed.push(performance.now() - begun)
    const newest = (await listKeys(store.db, { email: 'bench@example.com' })).filter(
      ({ revokedAt }) => revokedAt === null,
    )
    const id = newest.find(({ hint }) => key.startsWith(hint))!.id
    begun = performance.now()
    await revokeKey(store.db, id, new Date())
    await Promise.all(
      apis.map(async ({ url }) => {
        while ((await ask(url, key)) !== 401) await wait(5)
      }),
    )
    revoked.push(performance.now() - begun)
  }
  return [
    figureOf({
      name: 'cluster: a data change is seen by all',
      unit: 'ms',
      ours: changed,
      target: atMost(1_000, 'ours'),
    }),
    figureOf({
      name: 'cluster: a revoked key is refused by all',
      unit: 'ms',
      ours: revoked,
      target: atMost(1_000, 'ours'),
    }),
  ]
}

/** Each process in turn is killed outright while requests flow through nginx, and another started in its place. */
const killings = async (context: Context, { url, apis, environment }: Cluster): Promise<Figure[]> => {
  const keys = await context.proKeys(200)
  let flowing = true
  let asked = 0
  let failed = 0
  const statuses = new Set<number>()
  const flow = Promise.all(
    Array.from({ length: 10 }, async (_, lane) => {
      for (let n = lane; flowing; n += 10) {
        asked++
        const status = await ask(url, keys[n % keys.length]!).catch(() => 0)
        if (status !== 200) {
          failed++
          statuses.add(status)
        }
        await wait(10)
      }
    }),
  )
  for (const api of [...apis]) {
    api.process.kill('SIGKILL')
    await once(api.process, 'exit')
    await wait(500)
    const port = new URL(api.url).port
    apis[apis.indexOf(api)] = await startService({ ...environment, PORT: port }, 'api')
    await wait(1_500)
  }
  flowing = false
  await flow
  return [
    figureOf({
      name: 'cluster: requests failed while each process was killed',
      unit: 'requests',
      ours: [failed],
      target: atMost(0, 'ours'),
      note: `${asked} sent${failed > 0 ? `, failed with ${[...statuses]}` : ''}; nginx sends a read on to the next process when one is gone`,
    }),
  ]
}

const path = '/api/v1/permits?limit=1'
const ask = async (url: string, key: string): Promise<number> => {
  const answer = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } })
  await answer.text()
  return answer.status
}
const bodyOf = async (url: string, key: string): Promise<string> =>
  (await fetch(`${url}${path}`, { headers: { 'x-api-key': key } })).text()

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
