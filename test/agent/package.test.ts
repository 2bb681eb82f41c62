// The package as published, started the way an MCP client starts it, against the service.
import { type ChildProcessWithoutNullStreams, execFile, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { implementations } from '../../src/operations/list.ts'
import { mountDownloads, packagePath } from '../../src/web/served-packages.ts'
import { type Service, startService } from '../setup/service.ts'
import { parseToolResult } from './connection.ts'
import { injectionStrings } from './injection-strings.ts'
import { ordinary, type StandIn, standInService } from './stand-in-service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'dist/lotline-mcp/lotline-mcp.mjs')

let service: Service
let baseUrl: string
let standIn: StandIn
beforeAll(async () => {
  const build = (name: string) =>
    execFileSync(process.execPath, [join(root, 'scripts', name)], { cwd: root, stdio: 'pipe' })
  build('build-agent.ts')
  build('build-client.ts')
  service = await startService({ beforeReady: mountDownloads })
  baseUrl = `${await service.app.listen({ port: 0, host: '127.0.0.1' })}/api`
  standIn = await standInService(ordinary)
}, 120_000)
afterAll(async () => {
  await standIn?.close()
  await service?.close()
})

const readJson = (path: string) => JSON.parse(readFileSync(join(root, 'dist', path), 'utf8')) as Record<string, unknown>

describe('the published packages', () => {
  test('lotline-mcp is one file below 1 MB with its manifest and README', () => {
    expect(statSync(program).size).toBeLessThan(1_000_000)
    const published = readJson('lotline-mcp/package.json')
    expect(published).toMatchObject({
      name: 'lotline-mcp',
      version: manifest.version,
      bin: { 'lotline-mcp': 'lotline-mcp.mjs' },
      engines: { node: '>=20' },
    })
    expect(published).not.toHaveProperty('dependencies')
    expect(readJson('lotline-mcp/server.json')).toMatchObject({ name: published.mcpName, version: manifest.version })
    const readme = readFileSync(join(root, 'dist/lotline-mcp/README.md'), 'utf8')
    for (const client of ['Claude Code', 'Claude Desktop', 'Cursor', 'VS Code'])
      expect(readme).toContain(`## ${client}`)
    expect(readFileSync(program, 'utf8')).not.toContain(root)
  })

  test('lotline-client is below 15 kB, imports nothing and ships types', () => {
    const code = readFileSync(join(root, 'dist/lotline-client/lotline-client.js'), 'utf8')
    expect(code.length).toBeLessThan(15_000)
    expect(code).not.toMatch(/\bfrom\s*["']|\bimport\s*["'(]|\brequire\(/)
    const folder = mkdtempSync(join(tmpdir(), 'lotline-consumer-'))
    const use = (name: string, line: string) => {
      writeFileSync(
        join(folder, name),
        `import { createClient, type Permit } from '${join(root, 'dist/lotline-client/types/client/main.js')}'\n${line}`,
      )
    }
    const compile = (name: string) =>
      execFileSync(
        process.execPath,
        [
          join(root, 'node_modules/typescript/bin/tsc'),
          '--ignoreConfig',
          '--noEmit',
          '--strict',
          '--target',
          'es2022',
          '--lib',
          'es2022,dom',
          '--types',
          '',
          '--module',
          'nodenext',
          join(folder, name),
        ],
        { stdio: 'pipe' },
      )
    use(
      'right.mts',
      `for await (const permit of createClient({ baseUrl: 'x' }).pages.searchPermits({ city: 'y' })) { const known: Permit = permit; known.issuedDate.slice(1) }\n`,
    )
    compile('right.mts')
    use('wrong.mts', `createClient({ baseUrl: 'x' }).getPropertyIntelligence({ ident: 'y' })\n`)
    expect(() => compile('wrong.mts')).toThrow()
    use(
      'open.mts',
      `(await createClient({ baseUrl: 'x' }).searchPermits({ issued: 'any' })).data[0]?.issuedDate.slice(1)\n`,
    )
    expect(() => compile('open.mts')).toThrow()
    rmSync(folder, { recursive: true })
  })
})

const connect = async (env: Record<string, string>) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program],
    env: { PATH: process.env.PATH!, ...env },
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return { client, stderr: () => stderr }
}

test('the package that the service serves works in an empty folder', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lotline-install-'))
  writeFileSync(join(folder, 'package.json'), '{"name":"empty","private":true}')
  const url = `${new URL(baseUrl).origin}${packagePath('lotline-mcp')}`
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', url], { cwd: folder })
  const transport = new StdioClientTransport({
    command: join(folder, 'node_modules/.bin/lotline-mcp'),
    env: { PATH: process.env.PATH!, LOTLINE_API_BASE: baseUrl },
    cwd: folder,
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const { tools } = await client.listTools()
  expect(tools.length).toBeGreaterThan(0)
  const { isError } = parseToolResult(await client.callTool({ name: 'get_coverage', arguments: {} }))
  expect(isError).toBe(false)
  await client.close()
  rmSync(folder, { recursive: true })
})

describe('over standard input and output', () => {
  test('the SDK’s client calls every tool of the running service', async () => {
    const key = await service.proKey()
    const { client, stderr } = await connect({ LOTLINE_API_BASE: baseUrl, LOTLINE_API_KEY: key })
    expect(client.getServerVersion()).toMatchObject({ name: 'lotline', version: manifest.version })
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(13)
    const served = implementations.map(({ operation }) => operation.name)
    for (const { name } of tools.filter((tool) => served.includes(tool.name))) {
      const needsId = ['get_property_intelligence', 'run_proforma'].includes(name)
      const { isError, answer, raw } = parseToolResult(
        await client.callTool({
          name,
          arguments: needsId ? { id: 'none' } : name === 'look_up_address' ? { address: '1 Oak St' } : {},
        }),
      )
      expect([name, isError]).toEqual([name, false])
      if (needsId) expect(answer.outcome).toBe('not_found')
      expect(raw).not.toContain(key)
    }
    await client.close()
    expect(stderr()).toBe('')
  })

  test('without a key calls use the demo plan', async () => {
    const { client } = await connect({ LOTLINE_API_BASE: standIn.baseUrl })
    standIn.seen.length = 0
    await client.callTool({ name: 'search_permits', arguments: {} })
    expect(standIn.seen[0]!.headers['x-api-key']).toBe('demo')
    await client.close()
  })

  test('invalid settings are reported on stderr without their values', async () => {
    const run = (env: Record<string, string>) => {
      const child = spawn(process.execPath, [program], { env: { PATH: process.env.PATH!, ...env } })
      let stderr = ''
      child.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk.toString()
      })
      return new Promise<[number | null, string]>((resolve) => child.once('close', (code) => resolve([code, stderr])))
    }
    const secret = 'll_pro_verysecret'
    expect(await run({ LOTLINE_API_BASE: secret })).toEqual([2, expect.not.stringContaining('verysecret')])
    expect(await run({ LOTLINE_API_BASE: `http://u:${secret}@localhost/api` })).toEqual([
      2,
      expect.not.stringContaining('verysecret'),
    ])
    expect(await run({ LOTLINE_API_KEY: `${secret}\u00e9` })).toEqual([2, expect.not.stringContaining('verysecret')])
  })
})

const start = () => {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH!, LOTLINE_API_BASE: standIn.baseUrl, LOTLINE_API_KEY: 'll_free_verysecret' },
  })
  const lines: string[] = []
  const waiting: { wanted: string; resolve: () => void }[] = []
  // Splits at newlines only: readline would also split at U+2028 and U+2029, which JSON strings may contain.
  let unfinished = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (unfinished + chunk).split('\n')
    unfinished = parts.pop()!
    lines.push(...parts)
    for (const { wanted, resolve } of waiting) if (parts.some((line) => line.includes(wanted))) resolve()
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const send = (message: unknown) =>
    child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  const reply = (wanted: string) => new Promise<void>((resolve) => waiting.push({ wanted, resolve }))
  return { child, lines, send, reply, stderr: () => stderr }
}

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
}
const hangingCall = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_permits', arguments: {} } }

const exit = (child: ChildProcessWithoutNullStreams) =>
  new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))

describe('as a process', () => {
  test.each(['end of input', 'SIGTERM', 'SIGINT'])('exits on %s, even during a call that hangs', async (how) => {
    standIn.answer(() => ({ hang: true }))
    standIn.seen.length = 0
    const { child, send, reply } = start()
    const greeted = reply('"serverInfo"')
    send(initialize)
    await greeted
    send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    send(hangingCall)
    await expect.poll(() => standIn.seen.length, { timeout: 10_000 }).toBe(1)
    const ended = exit(child)
    if (how === 'end of input') child.stdin.end()
    else child.kill(how as NodeJS.Signals)
    // The process exits long before the call reaches its own deadline.
    expect(await ended).toBe(0)
    standIn.answer(ordinary)
  })

  test('an invalid message gets an error, and the next message is handled', async () => {
    const { child, lines, send, reply, stderr } = start()
    for (const line of ['not json', '{"jsonrpc":"2.0","id":1', '[]', '42', '{"jsonrpc":"1.0","id":7,"method":"ping"}'])
      send(line)
    send({ jsonrpc: '2.0', id: 'no-method' })
    send({ jsonrpc: '2.0', id: { odd: true }, method: 'ping' })
    // A response without a request and a blank line get no reply.
    send({ jsonrpc: '2.0', id: 3, result: 'odd' })
    send('  ')
    const greeted = reply('"serverInfo"')
    send(initialize)
    await greeted
    const errors = lines.map((line) => JSON.parse(line)).filter(({ error }) => error !== undefined)
    expect(errors.map(({ id, error }) => [id, error.code])).toEqual([
      [null, -32700],
      [null, -32700],
      [null, -32600],
      [null, -32600],
      [7, -32600],
      ['no-method', -32600],
      [null, -32600],
    ])
    expect(lines.length).toBe(errors.length + 1)
    expect(stderr()).not.toContain('Error:')
    const ended = exit(child)
    child.stdin.end()
    expect(await ended).toBe(0)
  })

  test.each([
    ['that never ends', () => 'x'.repeat(10 * 2 ** 20 + 1)],
    // The line has fewer characters than the limit but more bytes.
    ['of multibyte characters', () => `${JSON.stringify({ ...initialize, params: 'é'.repeat(6 * 2 ** 20) })}\n`],
  ])('a line over the size limit %s ends the process with 1 and the reason', async (_which, line) => {
    const { child, stderr } = start()
    const ended = exit(child)
    const closed = new Promise((resolve) => child.once('close', resolve))
    child.stdin.on('error', () => {}).write(line())
    expect(await ended).toBe(1)
    await closed
    expect(stderr()).toContain('exceeded maximum size of 10485760 bytes')
  })

  test('writes only JSON-RPC to stdout for any input, and never the key', async () => {
    standIn.answer(ordinary)
    const { child, lines, send, reply, stderr } = start()
    const greeted = reply('"serverInfo"')
    send(initialize)
    await greeted
    send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    for (const text of injectionStrings) {
      send(text.replaceAll('\n', ' '))
      send({ jsonrpc: '2.0', id: text, method: text, params: { text } })
      send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: text, arguments: { q: text } } })
      send({
        jsonrpc: '2.0',
        id: 6,
        method: 'tools/call',
        params: { name: 'search_permits', arguments: { q: text.slice(0, 100) } },
      })
    }
    const answers = () => lines.filter((line) => line.includes('"id":6')).length
    await expect.poll(answers, { timeout: 30_000 }).toBe(injectionStrings.length)
    expect(lines.length).toBeGreaterThan(600)
    for (const line of lines) expect((JSON.parse(line) as { jsonrpc: string }).jsonrpc).toBe('2.0')
    expect(lines.join('') + stderr()).not.toContain('verysecret')
    const ended = exit(child)
    child.stdin.end()
    expect(await ended).toBe(0)
  })
})
