// The entry of the package published alone.
import manifest from '../../package.json' with { type: 'json' }
import { defaultApiBase } from './agent-settings.ts'
import { runMcp } from './run-mcp.ts'

const help = `lotline-mcp ${manifest.version}: Lotline's agent tools (MCP) over standard input and output.

An MCP client starts it; there is nothing to type here. Environment:
  LOTLINE_API_BASE  API address, ${defaultApiBase} unless told
  LOTLINE_API_KEY   your key; without one, the demo tier
`

const [flag] = process.argv.slice(2)
if (flag === '--help' || flag === '-h') process.stdout.write(help)
else if (flag === '--version' || flag === '-v') process.stdout.write(`${manifest.version}\n`)
else await runMcp()
