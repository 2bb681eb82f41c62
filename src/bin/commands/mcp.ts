import { Command } from 'commander'
import { defaultApiBase } from '../agent-settings.ts'
import { runMcp } from '../run-mcp.ts'

export const mcpCommand = (): Command =>
  new Command('mcp')
    .description('Serve the agent tools (MCP) over standard input and output')
    .option('--base <url>', `API address; LOTLINE_API_BASE, else ${defaultApiBase}`)
    .addHelpText('after', '\nThe key comes from LOTLINE_API_KEY; without one, the demo tier.')
    .action((options: { base?: string }) => runMcp(options))
