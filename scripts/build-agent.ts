// Builds dist/lotline-mcp and dist/lotline-mcp.tgz: the agent tools as a package with a single file. The service serves the latter.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { packageStamp, stampFile } from '../src/web/served-packages.ts'
import { emptyFolder, finishPackage, root, version, versionOnly, writeJson } from './publishable.ts'

const folder = join(root, 'dist/lotline-mcp')
const registryName = 'io.github.lotline/lotline-mcp'
const description = 'Agent tools (MCP) for Lotline: teardowns, flips, permits, SB 9 lot splits.'

const stamp = await packageStamp('lotline-mcp')
emptyFolder(folder)
await build({
  configFile: false,
  root,
  logLevel: 'warn',
  plugins: [versionOnly],
  ssr: { noExternal: true },
  build: {
    ssr: 'src/bin/lotline-mcp.ts',
    outDir: folder,
    target: 'node20',
    minify: true,
    rollupOptions: {
      output: { entryFileNames: 'lotline-mcp.mjs', codeSplitting: false, banner: '#!/usr/bin/env node' },
    },
  },
})
chmodSync(join(folder, 'lotline-mcp.mjs'), 0o755)

writeJson(folder, 'server.json', {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: registryName,
  title: 'Lotline',
  description,
  version,
  packages: [
    {
      registryType: 'npm',
      identifier: 'lotline-mcp',
      version,
      runtimeHint: 'npx',
      transport: { type: 'stdio' },
      environmentVariables: [
        {
          name: 'LOTLINE_API_BASE',
          description: 'Address of the Lotline API, its /api prefix included',
          default: 'http://localhost:3000/api',
        },
        { name: 'LOTLINE_API_KEY', description: 'Your API key; without one, the demo tier', isSecret: true },
      ],
    },
  ],
})
finishPackage(folder, 'lotline-mcp', {
  description,
  mcpName: registryName,
  keywords: ['mcp', 'modelcontextprotocol', 'real-estate', 'permits', 'zoning'],
  bin: { 'lotline-mcp': 'lotline-mcp.mjs' },
  files: ['lotline-mcp.mjs', 'server.json'],
  engines: { node: '>=20' },
})
writeFileSync(stampFile('lotline-mcp'), stamp)
