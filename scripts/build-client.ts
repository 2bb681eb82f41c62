// Builds dist/lotline-client: the typed client as one module without dependencies, and its types.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'vite'
import { errorCodes } from '../src/common/errors.ts'
import { packageStamp, stampFile } from '../src/web/served-packages.ts'
import { operationTypes } from './client-types.ts'
import { emptyFolder, finishPackage, root } from './publishable.ts'

const folder = join(root, 'dist/lotline-client')

const stamp = await packageStamp('lotline-client')
emptyFolder(folder)
await build({
  configFile: false,
  root,
  logLevel: 'warn',
  build: {
    lib: { entry: 'src/client/main.ts', formats: ['es'], fileName: () => 'lotline-client.js' },
    outDir: folder,
    target: 'es2022',
    minify: true,
  },
})
console.log(`lotline-client.js: ${(statSync(join(folder, 'lotline-client.js')).size / 1000).toFixed(1)} kB`)

// The client's own declarations as the compiler writes them; those of the contract in plain types. The compiler reads a copy of the
// client without the contract: writing the declarations of the contract, which are not published, would take 12 s.
const copy = mkdtempSync(join(tmpdir(), 'lotline-client-'))
cpSync(join(root, 'src/client'), join(copy, 'client'), { recursive: true })
execFileSync(process.execPath, [
  join(root, 'node_modules/typescript/bin/tsc'),
  ...['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--noCheck', '--outDir', join(folder, 'types')],
  ...['--rootDir', copy, '--target', 'es2024', '--module', 'nodenext', '--types', '', join(copy, 'client/main.ts')],
])
rmSync(copy, { recursive: true })
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, 'types', path)), { recursive: true })
  writeFileSync(join(folder, 'types', path), text)
}
write('common/errors.d.ts', `export type ErrorCode = ${errorCodes.map((code) => `'${code}'`).join(' | ')}\n`)
write(
  'wire/operation.d.ts',
  `export type Method = 'GET' | 'POST' | 'DELETE'
export type InputOf<O> = O extends { input: infer I } ? I : never
export type OutputOf<O> = O extends { output: infer R } ? R : never
export type WideOutputOf<O> = O extends { wideOutput: infer W } ? W : never
`,
)
const { text, resources } = operationTypes()
write('wire/operations/list.d.ts', text)
rmSync(join(folder, 'types/client/request.d.ts'))
for (const name of readdirSync(join(folder, 'types/client'))) {
  const path = join(folder, 'types/client', name)
  writeFileSync(path, readFileSync(path, 'utf8').replace(/(from ['"][^'"]+)\.ts(['"])/g, '$1.js$2'))
}
appendFileSync(
  join(folder, 'types/client/main.d.ts'),
  `export type { ${resources.join(', ')} } from '../wire/operations/list.js';\n`,
)

finishPackage(folder, 'lotline-client', {
  description: 'Typed client for the Lotline API, for Node and browsers.',
  keywords: ['lotline', 'real-estate', 'api-client'],
  exports: { '.': { types: './types/client/main.d.ts', default: './lotline-client.js' } },
  types: './types/client/main.d.ts',
  files: ['lotline-client.js', 'types'],
  sideEffects: false,
  engines: { node: '>=20' },
})
writeFileSync(stampFile('lotline-client'), stamp)
