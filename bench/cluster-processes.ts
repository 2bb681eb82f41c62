// Three API processes and two workers on one PostgreSQL and one Redis behind nginx, as docs/scale.md describes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Store } from '../src/bin/open-store.ts'
import type { Context } from './context.ts'
import { type Environment, type Service, startService } from './service.ts'

export interface Cluster {
  /** The URL of nginx. */
  url: string
  apis: Service[]
  workers: Service[]
  environment: Environment
  /** Hexadecimal. */
  secretKey: string
  close(): Promise<void>
}

export const openCluster = async (context: Context, store: Store): Promise<Cluster> => {
  const dir = join(context.dir, 'cluster')
  await mkdir(dir)
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const each of closing.reverse()) await each()
  }
  try {
    const redisPort = await freePort()
    const redisArguments = ['--port', `${redisPort}`, '--bind', '127.0.0.1', '--save', '', '--dir', dir]
    const redis = spawn('redis-server', redisArguments, { stdio: 'ignore' })
    closing.push(() => ended(redis))
    await listening(redisPort)
    const secretKey = '0'.repeat(64)
    const environment: Environment = {
      DATABASE_URL: `postgres://lotline@/lotline?host=${encodeURIComponent(store.address.socketDir!)}`,
      SECRET_KEY: secretKey,
      DATA_DIR: dir,
      REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      TRUSTED_PROXIES: '127.0.0.1',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    }
    const apis: Service[] = []
    const workers: Service[] = []
    closing.push(() => Promise.all([...apis, ...workers].map((each) => each.stop())))
    for (let i = 0; i < 3; i++) apis.push(await startService(environment, 'api'))
    for (let i = 0; i < 2; i++) workers.push(await startService(environment, 'worker'))
    const port = await freePort()
    await writeFile(join(dir, 'nginx.conf'), nginxConfig(dir, port, apis))
    const nginx = spawn('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf')], { stdio: 'ignore' })
    closing.push(() => ended(nginx))
    await listening(port)
    return { url: `http://127.0.0.1:${port}`, apis, workers, environment, secretKey, close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * A failed read is retried on the next process. With the default `max_fails`, three short restarts within ten seconds make nginx
 * treat every process as down; `max_fails=0` retries a restarted process at once.
 */
const nginxConfig = (dir: string, port: number, apis: readonly Service[]) => `
daemon off; pid ${dir}/nginx.pid; error_log ${dir}/error.log warn; worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${dir}/b; proxy_temp_path ${dir}/p; fastcgi_temp_path ${dir}/f; uwsgi_temp_path ${dir}/u; scgi_temp_path ${dir}/s;
  upstream lotline { ${apis.map(({ url }) => `server ${new URL(url).host} max_fails=0;`).join(' ')} keepalive 32; }
  server {
    listen 127.0.0.1:${port} backlog=1024;
    location / {
      proxy_pass http://lotline; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_connect_timeout 2s; proxy_read_timeout 15s;
      proxy_next_upstream error timeout http_502 http_503; proxy_next_upstream_tries 3;
    }
  }
}`

export const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const listening = async (port: number): Promise<void> => {
  for (let left = 100; ; left--) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch (error) {
      if (left === 0) throw error
      await wait(50)
    } finally {
      socket.destroy()
    }
  }
}
