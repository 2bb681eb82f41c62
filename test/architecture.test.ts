// The rules of the code base that a test can check: which folder may import which, where SQL and the environment are, what is pure.
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, normalize, relative } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { jurisdictions, markets } from '../src/domain/packs/markets.ts'
import { nameOfState } from '../src/domain/states.ts'

const root = join(import.meta.dirname, '..')
const src = join(root, 'src')

/** Each folder imports only from lower layers. The last three are beside src. */
const layers = [
  ['common', 'secrets'],
  ['domain'],
  ['criteria'],
  ['wire', 'intelligence', 'sources'],
  ['store', 'client', 'laws'],
  ['packs', 'watches', 'schemes'],
  ['assess', 'operations', 'events', 'ingest', 'agent', 'embedded'],
  ['api', 'web', 'audit', 'backtest'],
  ['bin'],
  ['tools'],
  ['bench'],
  ['scripts'],
]
const layerOf = new Map(layers.flatMap((folders, layer) => folders.map((folder) => [folder, layer] as const)))

/** Equal arguments give equal results. */
const isPure = (folder: string): boolean => ['intelligence', 'laws', 'schemes'].includes(folder)

interface File {
  path: string
  folder: string
  text: string
  imports: string[]
}

/** `… from 'x'` at the end of an import or export statement, and `import('x')`; not the word "from" inside a text. */
const importPattern = /^(?:import |(?:import|export|\}).* from )'([^'\n]+)'(?: with .*)?$|\bimport\('([^'\n]+)'\)/gm

/** Those of src, with their paths in it. */
let files: File[]
/** Those beside it, as src sees them: `../tools/…`. */
let others: File[]
beforeAll(async () => {
  const filesOf = async (within: string) => {
    const names = await readdir(join(src, within), { recursive: true })
    return Promise.all(
      names
        .filter((name) => name.endsWith('.ts'))
        .map(async (name) => {
          const path = join(within, name)
          const text = await readFile(join(src, path), 'utf8')
          const imports = [...text.matchAll(importPattern)].map((match) => match[1] ?? match[2]!)
          return { path, folder: folderOf(path), text, imports }
        }),
    )
  }
  files = await filesOf('')
  others = (await Promise.all(['../tools', '../bench', '../scripts'].map(filesOf))).flat()
})

/** Of src, or beside it. */
const folderOf = (path: string): string => path.replace('../', '').split('/')[0]!

const pathOf = (file: File, to: string): string => relative(src, normalize(join(src, dirname(file.path), to)))

/** The folder an import leads to; undefined for packages and for files without a layer. */
const targetOf = (file: File, to: string): string | undefined => {
  if (!to.startsWith('.')) return undefined
  const folder = folderOf(pathOf(file, to))
  return layerOf.has(folder) ? folder : undefined
}

test('every folder of src has a layer', () => {
  const folders = new Set(files.filter(({ path }) => path.includes('/')).map(({ folder }) => folder))
  expect([...folders].filter((folder) => !layerOf.has(folder))).toEqual([])
})

test('code imports only from lower layers, never from its own layer or above', () => {
  const wrong = [...files, ...others].flatMap((file) =>
    file.imports.flatMap((to) => {
      const target = targetOf(file, to)
      if (target === undefined || target === file.folder) return []
      const [from, down] = [layerOf.get(file.folder), layerOf.get(target)]
      return from !== undefined && down! >= from ? [`${file.path} → ${to}`] : []
    }),
  )
  expect(wrong).toEqual([])
})

test('pages read data through operations, never from the store or the models', () => {
  const allowed = new Set(['web', 'operations', 'common', 'domain', 'criteria', 'wire', 'client'])
  const exceptions = new Set([
    // Which figures have the mark of a default assumption.
    'intelligence/proforma/proforma-defaults.ts',
    // The drawing of a lot measures its yards.
    'intelligence/site/setback-lines.ts',
    // Labels for the inputs of the teardown score.
    'intelligence/teardown/teardown-input-labels.ts',
    // The Atom feed of a watch.
    'watches/feed.ts',
    // Two processes must not build the browser files at once.
    'embedded/file-lock.ts',
  ])
  const wrong = files
    .filter(({ folder }) => folder === 'web')
    .flatMap((file) =>
      file.imports.flatMap((to) => {
        const target = targetOf(file, to)
        if (target === undefined || allowed.has(target)) return []
        const path = relative(src, normalize(join(src, dirname(file.path), to)))
        return exceptions.has(path) ? [] : [`${file.path} → ${to}`]
      }),
    )
  expect(wrong).toEqual([])
})

test('a law or a state is named in laws and packs only; elsewhere stand the names of the API and of columns', () => {
  const ofApi = `sb9 sb9Status sb9_status Sb9Item Sb9Finding listSb9Inventory list_sb9_inventory sb9-inventory
    sb9-adu-redevelopment priorSb9Split adjacentSb9Split`.split(/\s+/)
  const ofColumns = ['sb9Blocked', 'sb9_blocked', 'sb9MaxUnits', 'sb9_max_units']
  const readsColumns = ({ folder, path }: File) => folder === 'store' || path === 'criteria/search-columns.ts'
  const states = [...new Set(jurisdictions().map(({ state }) => state))]
  const named = new RegExp(
    `\\b(?:${states.map(nameOfState).join('|')})\\b|'(?:${states.join('|')})'|\\bus-(?:${states.join('|')})-|Gov\\. Code|G\\.L\\. c\\.`,
    'gi',
  )
  const wrong = files
    // Examples of the API name a place; one file has every state.
    .filter(({ folder, path }) => !['laws', 'wire'].includes(folder) && path !== 'domain/states.ts')
    .flatMap((file) => [
      ...[...file.text.matchAll(/[\w-]*sb9[\w-]*/gi)].flatMap(([name]) =>
        ofApi.includes(name) || (readsColumns(file) && ofColumns.includes(name)) ? [] : [`${file.path}: ${name}`],
      ),
      ...[...file.text.matchAll(named)].map(([name]) => `${file.path}: ${name}`),
    ])
  expect(wrong).toEqual([])
})

test('only bin reads the configuration', () => {
  const config = join(src, 'config.ts')
  const wrong = files.filter(
    ({ folder, path, imports }) => folder !== 'bin' && imports.some((to) => join(src, dirname(path), to) === config),
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('the environment is read in config.ts, and by the agent tools that run without it', () => {
  const readers = files.filter(({ text }) => text.includes('process.env')).map(({ path }) => path)
  const allowed = new Set(['config.ts', 'bin/agent-settings.ts', 'bin/run-mcp.ts'])
  expect(readers.filter((path) => !allowed.has(path))).toEqual([])
})

test('SQL is written in store only', () => {
  const statement =
    /`\s*(?:with \w+ as|select\s[\s\S]*?\sfrom\s|insert into\s|update \w+ set\s|delete from\s|create (?:table|index)\s|alter table\s)/i
  const wrong = files.filter(
    ({ folder, text }) => folder !== 'store' && (statement.test(text) || /from '(?:pg|kysely)'/.test(text)),
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('intelligence, laws and schemes are pure: no clock, no random numbers, no asynchronous code, no Node modules, only contract types', () => {
  const impure = /Date\.now|new Date\(\)|Math\.random|performance\.|process\.|\bawait\b|\basync\b/
  const wrong = files
    .filter(({ folder }) => isPure(folder))
    .flatMap((file) => [
      ...(impure.test(withoutComments(file.text)) ? [`${file.path}: ${impure.exec(withoutComments(file.text))}`] : []),
      ...file.imports.filter((to) => to.startsWith('node:')).map((to) => `${file.path} → ${to}`),
    ])
  expect(wrong).toEqual([])
})

test('intelligence and laws read no variable of a module, so equal arguments give equal results', () => {
  // What they import at run time, directly or not: packs and other state reach them only as arguments.
  const byPath = new Map(files.map((file) => [file.path, file]))
  const reached = new Set(files.filter(({ folder }) => isPure(folder)))
  for (const file of reached)
    for (const to of runTimeImports(file.text)) {
      const target = byPath.get(normalize(join(dirname(file.path), to)))
      if (target) reached.add(target)
    }
  const wrong = [...reached].filter(({ text }) => /^(?:export )?let /m.test(text))
  expect(wrong.map(({ path }) => path)).toEqual([])
  expect([...reached].map(({ path }) => path)).toContain('domain/assumptions/assumptions.ts')
})

test('no module exports a variable that it changes', () => {
  expect(files.filter(({ text }) => /^export let /m.test(text)).map(({ path }) => path)).toEqual([])
})

test('no tool uses a program of the service', () => {
  const wrong = others.flatMap((file) =>
    file.folder === 'tools' ? file.imports.filter((to) => targetOf(file, to) === 'bin') : [],
  )
  expect(wrong).toEqual([])
})

test('the words of the field and what goes over HTTP import nothing but their tables and small pure libraries', () => {
  const allowed = new Set(['typebox', 'typebox/format', 'typebox/schema', 'ipaddr.js'])
  const wrong = files
    .filter(({ folder }) => ['common', 'domain', 'criteria', 'wire'].includes(folder))
    .flatMap((file) =>
      file.imports.filter((to) => !to.startsWith('.') && !allowed.has(to)).map((to) => `${file.path} → ${to}`),
    )
  expect(wrong).toEqual([])
})

test('no market is named in the code: markets are packs', () => {
  // As a value: a comment may name a city whose rule it explains, and an example comes from data/examples.json.
  const ids = markets().flatMap(({ id, aliases }) => [id, ...aliases])
  const named = new RegExp(`['"\`=/](?:${ids.join('|')})['"\`&/]`)
  const wrong = files
    .filter(({ folder, text }) => folder !== 'laws' && named.test(withoutComments(text)))
    .map(({ path, text }) => `${path}: ${named.exec(withoutComments(text))}`)
  expect(wrong).toEqual([])
})

test('no city or state of a pack is named in the code', () => {
  const names = [
    ...new Set([
      ...jurisdictions().flatMap(({ name, slug }) => [name, slug]),
      ...markets().map(({ stateName }) => stateName),
    ]),
  ]
  // Also within messages and pages: their examples would be wrong in another market. The list of states names all of them.
  const named = new RegExp(`\\b(?:${names.join('|')})\\b`)
  const wrong = files
    .filter(({ folder, path }) => folder !== 'laws' && !path.endsWith('domain/states.ts'))
    .filter(({ text }) => named.test(withoutComments(text)))
    .map(({ path, text }) => `${path}: ${named.exec(withoutComments(text))}`)
  expect(wrong).toEqual([])
})

test('files are named for what they hold', () => {
  const vague = files.filter(({ path }) => /(?:^|\/)(?:utils?|helpers?|common|manager|service|misc)\.ts$/.test(path))
  expect(vague.map(({ path }) => path)).toEqual([])
  expect(files.filter(({ path }) => !/^[a-z0-9/-]+(?:\.d)?\.ts$/.test(path)).map(({ path }) => path)).toEqual([])
})

/** Imports that are not of types alone. */
const runTimeImports = (text: string): string[] =>
  [...text.matchAll(/^(?:import|export) (?!type )([\s\S]*?) from '(\.[^'\n]+)'/gm)].flatMap(([, names, to]) => {
    const listed = /^\{([\s\S]*)\}$/.exec(names!)?.[1]?.split(',') ?? ['all']
    return listed.every((name) => /^\s*(?:type .*)?$/.test(name)) ? [] : [to!]
  })

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '')
