// `npm run check:clients [-- http://localhost:3000 [java,go]]`: generates clients from /openapi.json with six generators, compiles them and
// calls a live service with each. Without an address it starts a service with the sample data. The generators come from npm, PyPI,
// the Go proxy and Maven Central; a generator whose tool chain is absent is skipped. Not part of `npm test`.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { proKeysOf, startService } from '../bench/service.ts'
import { inputFields, type Operation, rowsOf } from '../src/wire/operation.ts'
import { operationList } from '../src/wire/operations/list.ts'

const generatorVersion = '7.17.0'
const oapiVersion = 'v2.8.1'
const smoke = (name: string) => readFileSync(join(import.meta.dirname, 'client-smoke', `${name}.txt`), 'utf8')

/** Every list, to read a row of each through the generated types. */
const lists = operationList.filter(({ method, output }) => method === 'GET' && rowsOf(output))
/** Filled by what happens after a start, not by the check. */
const mayBeEmpty = ['list_watch_matches', 'list_events']
const ownedBy: Record<string, string> = {
  list_deliveries: 'webhook',
  list_watch_matches: 'watch',
  list_builder_permits: 'builder',
}

/** The parameters that a list cannot be asked without, with a value that has rows in the sample data. */
const required: Record<string, Record<string, string>> = { list_use_leads: { use: 'transit' } }
const requiredOf = ({ name }: Operation) => Object.entries(required[name] ?? {})

/** `lists` in the place of the line with this mark. */
const withLists = (program: string, statement: (list: Operation, id: string | undefined) => string): string =>
  program.replace(/^.*EVERY LIST.*$/m, () =>
    lists.map((list) => statement(list, owners[ownedBy[list.name] ?? ''])).join('\n'),
  )
const least = ({ name }: Operation) => (mayBeEmpty.includes(name) ? 0 : 1)
const pascal = (name: string) => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

const goLists = (program: string) =>
  withLists(program, (list, id) => {
    const given = requiredOf(list).map(([name, value]) => `${pascal(name)}: "${value}"`)
    const params = inputFields(list).query.length > 0 ? `, &lotline.${pascal(list.name)}Params{${given}}` : ''
    return `\t{
\t\tanswer, err := client.${pascal(list.name)}WithResponse(ctx${id ? `, "${id}"` : ''}${params})
\t\tcheck(err)
\t\tif answer.JSON200 == nil || len(answer.JSON200.Data) < ${least(list)} {
\t\t\tcheck(fmt.Errorf("${list.name}: no rows: %.300s", answer.Body))
\t\t}
\t}`
  })
const pythonLists = (program: string) =>
  withLists(
    program,
    (list, id) => `from lotline_client.api.${list.tag.toLowerCase()} import ${list.name} as each
from lotline_client import models
answer = each.sync(${id ? `"${id}", ` : ''}client=client${requiredOf(list).map(
      ([name, value]) => `, ${name}=models.${pascal(list.name)}${pascal(name)}("${value}")`,
    )})
assert len(answer.data) >= ${least(list)}, ("${list.name}", answer)`,
  )
const paramsOf = ({ name }: Operation, id: string | undefined) => {
  const params = { ...(id ? { path: { id } } : {}), ...(required[name] ? { query: required[name] } : {}) }
  return JSON.stringify(Object.keys(params).length > 0 ? { params } : {})
}
const typescriptLists = (program: string) =>
  withLists(
    program,
    (list, id) => `{
  const { data, error } = await client.GET('${list.path}', ${paramsOf(list, id)})
  if (!data || data.data.length < ${least(list)}) throw new Error(\`${list.name}: \${JSON.stringify(error)}\`)
}`,
  )

interface Target {
  base: string
  key: string
  close(): Promise<void>
}

const liveService = async (given: string | undefined): Promise<Target> => {
  if (given)
    return {
      base: `${given.replace(/\/$/, '')}/api`,
      key: process.env.LOTLINE_API_KEY ?? 'demo',
      close: async () => {},
    }
  const dataDir = mkdtempSync(join(tmpdir(), 'lotline-clients-'))
  const env = { DATA_DIR: dataDir }
  const service = await startService(env)
  const [key] = await proKeysOf(env, 1)
  return {
    base: `${service.url}/api`,
    key: key!,
    close: async () => {
      await service.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const folder = join(tmpdir(), 'lotline-check-clients')
mkdirSync(folder, { recursive: true })
const target = await liveService(process.argv[2])
const environment = { ...process.env, API_BASE: target.base, API_KEY: target.key }

/** Fails the generator with the output of the command. */
const run = (cwd: string, command: string, args: string[], path?: string): string => {
  const env = path ? { ...environment, PATH: `${path}${delimiter}${process.env.PATH}` } : environment
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  if (status !== 0)
    throw new Error(`${command} ${args.slice(0, 3).join(' ')}\n${error ?? ''}${stdout}${stderr}`.slice(-3_000))
  return stdout
}
const has = (command: string) => spawnSync(command, ['--version']).error === undefined
const emptied = (name: string) => {
  const path = join(folder, name)
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path, { recursive: true })
  return path
}
/** A row for each list that begins empty, and the ids that the lists of one owner need. */
const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
  const headers = { 'x-api-key': target.key, 'content-type': 'application/json' }
  const response = await fetch(`${target.base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  return answer
}
const { id: webhook } = await post('/v1/webhooks/register', { url: 'https://8.8.8.8/hook' })
await post(`/v1/webhooks/${webhook}/test`, {})
const { data: watch } = await post('/v1/watches', {
  name: 'Check',
  kind: 'listings',
  criteria: { maxPrice: 3_000_000 },
})
await post('/v1/exports', { kind: 'permits', criteria: { minValuation: 1_000_000 }, format: 'csv' })
await post('/v1/assumption-sets', { name: 'Check', values: { ratePct: 7 } })
const firstOf = async (path: string): Promise<string> => {
  const response = await fetch(`${target.base}${path}?limit=1`, { headers: { 'x-api-key': target.key } })
  return ((await response.json()) as { data: { id: string }[] }).data[0]!.id
}
await post('/v1/deals', { propertyId: await firstOf('/v1/market-signals') })
const owners: Record<string, string> = {
  webhook: webhook as string,
  watch: (watch as { id: string }).id,
  builder: await firstOf('/v1/builders'),
}

const document = join(folder, 'openapi.json')
writeFileSync(document, await (await fetch(`${target.base}/openapi.json`)).text())

const venv = join(folder, 'venv')
const python = () => {
  if (spawnSync(join(venv, 'bin/python'), ['--version']).status !== 0) run(folder, 'python3', ['-m', 'venv', venv])
  return join(venv, 'bin/python')
}
const jar = join(folder, `openapi-generator-cli-${generatorVersion}.jar`)
const generate = (language: string, path: string, options: string[]) => {
  const artifact = `org.openapitools:openapi-generator-cli:${generatorVersion}`
  run(folder, 'mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`])
  run(folder, 'java', ['-jar', jar, 'generate', '-i', document, '-g', language, '-o', path, ...options])
}

interface Check {
  name: string
  needs: string[]
  check(): string
}

const checks: Check[] = [
  {
    name: 'openapi-typescript',
    needs: ['npm'],
    check: () => {
      const path = emptied('typescript')
      writeFileSync(join(path, 'package.json'), '{"private":true,"type":"module"}')
      run(path, 'npm', [
        'install',
        '--no-audit',
        '--no-fund',
        'openapi-typescript@7',
        'openapi-fetch@0.17',
        'typescript@5',
        '@types/node@24',
      ])
      run(path, 'npx', ['openapi-typescript', document, '-o', 'schema.d.ts'])
      const loose = readFileSync(join(path, 'schema.d.ts'), 'utf8').match(/^\s*\w+\??: unknown;$/gm)
      if (loose) throw new Error(`fields without a type: ${loose.slice(0, 5).join(' ')}`)
      writeFileSync(join(path, 'smoke.ts'), typescriptLists(smoke('typescript')))
      run(path, 'npx', ['tsc', '--strict', '--target', 'es2023', '--module', 'nodenext', 'smoke.ts'])
      return run(path, process.execPath, ['smoke.js'])
    },
  },
  {
    name: 'openapi-python-client',
    needs: ['python3'],
    check: () => {
      const program = python()
      run(folder, program, ['-m', 'pip', 'install', '-q', 'openapi-python-client', 'ruff'])
      const path = emptied('python-client')
      const options = ['generate', '--path', document, '--output-path', path, '--overwrite']
      run(folder, join(venv, 'bin/openapi-python-client'), [...options, '--fail-on-warning'], join(venv, 'bin'))
      run(path, program, ['-m', 'compileall', '-q', 'lotline_client'])
      writeFileSync(join(path, 'smoke.py'), pythonLists(smoke('openapi-python-client')))
      return run(path, program, ['smoke.py'])
    },
  },
  {
    name: 'openapi-generator, Python',
    needs: ['java', 'mvn', 'python3'],
    check: () => {
      const path = emptied('generator-python')
      generate('python', path, ['--additional-properties=packageName=lotline'])
      run(path, python(), ['-m', 'pip', 'install', '-q', '-r', 'requirements.txt'])
      writeFileSync(join(path, 'smoke.py'), smoke('openapi-generator-python'))
      return run(path, python(), ['smoke.py'])
    },
  },
  {
    name: 'openapi-generator, Go',
    needs: ['java', 'mvn', 'go'],
    check: () => {
      const path = emptied('generator-go')
      generate('go', path, ['--additional-properties=packageName=lotline,withGoMod=false'])
      return runGo(path, 'openapi-generator-go')
    },
  },
  {
    name: 'openapi-generator, Java',
    needs: ['java', 'mvn'],
    check: () => {
      const path = emptied('generator-java')
      generate('java', path, ['--library', 'native'])
      const source = join(path, 'src/main/java/Smoke.java')
      writeFileSync(source, smoke('openapi-generator-java'))
      run(path, 'mvn', ['-q', '-B', '-DskipTests', 'compile', 'dependency:copy-dependencies'])
      return run(path, 'java', ['-cp', ['target/classes', 'target/dependency/*'].join(delimiter), 'Smoke'])
    },
  },
  {
    name: 'oapi-codegen',
    needs: ['go'],
    check: () => {
      const path = emptied('oapi-codegen')
      const tool = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${oapiVersion}`
      const options = ['-package', 'lotline', '-generate', 'types,client', '-o', join(path, 'client.gen.go'), document]
      run(path, 'go', ['run', tool, ...options])
      return runGo(path, 'oapi-codegen')
    },
  },
]

const runGo = (path: string, name: string): string => {
  // Tests of the generated package import it by a path that does not exist.
  rmSync(join(path, 'test'), { recursive: true, force: true })
  run(path, 'go', ['mod', 'init', 'example.com/lotline'])
  mkdirSync(join(path, 'smoke'))
  writeFileSync(join(path, 'smoke/main.go'), name === 'oapi-codegen' ? goLists(smoke(name)) : smoke(name))
  run(path, 'go', ['mod', 'tidy'])
  run(path, 'go', ['build', './...'])
  return run(path, 'go', ['run', './smoke'])
}

let failed = 0
try {
  const wanted = process.argv[3]?.toLowerCase().split(',')
  for (const { name, needs, check } of checks) {
    if (wanted && !wanted.some((each) => name.toLowerCase().includes(each))) continue
    const absent = needs.filter((command) => !has(command))
    if (absent.length > 0) {
      console.log(`skip ${name}: ${absent.join(', ')} not found`)
      continue
    }
    try {
      const said = check()
      if (!said.includes('ok')) throw new Error(`unexpected output: ${said}`)
      console.log(`ok   ${name}: generated, compiled, called ${target.base}`)
    } catch (error) {
      failed++
      console.log(`FAIL ${name}\n${(error as Error).message}`)
    }
  }
} finally {
  await target.close()
}
process.exitCode = failed > 0 ? 1 : 0
