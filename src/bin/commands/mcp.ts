import { Command } from 'commander'
import { defaultApiBase } from '../agent-settings.ts'

export const mcpCommand = (): Command =>
  new Command('mcp')
    .description('Serve the agent tools (MCP) over standard input and output')
    .option('--base <url>', `API address; LOTLINE_API_BASE, else ${defaultApiBase}`)
    .addHelpText('after', '\nThe key comes from LOTLINE_API_KEY; without one, the demo tier.')
    .action(async (options: { base?: string }) => {
      // Loaded here alone: other commands need not wait for the protocol's library.
      const { runMcp } = await import('../run-mcp.ts')
      await runMcp(options)
    })
