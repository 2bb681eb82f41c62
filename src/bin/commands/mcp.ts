import { Command } from 'commander'
import { defaultApiBase } from '../agent-settings.ts'

export const mcpCommand = (): Command =>
  new Command('mcp')
    .description('Serve the agent tools (MCP) over standard input and output.')
    .option('--base <url>', `API address; defaults to LOTLINE_API_BASE, then ${defaultApiBase}`)
    .addHelpText('after', '\nThe API key is read from LOTLINE_API_KEY. Without a key, the demo plan applies.')
    .action(async (options: { base?: string }) => {
      // Imported only here, so that other commands do not wait for the protocol library.
      const { runMcp } = await import('../run-mcp.ts')
      await runMcp(options)
    })
