// Entry point of the lotline-mcp package.
import manifest from '../../package.json' with { type: 'json' }
import { defaultApiBase } from './agent-settings.ts'
import { runMcp } from './run-mcp.ts'

const help = `lotline-mcp ${manifest.version}: Lotline's agent tools (MCP) over standard input and output.

It is started by an MCP client. Environment variables:
  LOTLINE_API_BASE  API address; defaults to ${defaultApiBase}
  LOTLINE_API_KEY   API key; without it, the demo plan applies
`

const [flag] = process.argv.slice(2)
if (flag === '--help' || flag === '-h') process.stdout.write(help)
else if (flag === '--version' || flag === '-v') process.stdout.write(`${manifest.version}\n`)
else await runMcp()
