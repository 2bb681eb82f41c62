// The MCP SDK's client, connected to the agent server in this process.
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { type AgentOptions, agentClientRules, createAgentServer } from '../../src/agent/server.ts'
import { createClient } from '../../src/client/client.ts'

export interface ToolResult {
  text: string
  answer: Record<string, unknown> & {
    outcome: string
    items?: Record<string, unknown>[]
    item?: Record<string, unknown>
    notes?: string[]
    page?: Record<string, unknown>
  }
  isError: boolean
  raw: string
}

export interface Connection {
  client: Client
  call: (name: string, args?: Record<string, unknown>) => Promise<ToolResult>
  close: () => Promise<void>
}

export const connectAgent = async (
  baseUrl: string,
  options: Partial<AgentOptions> & { apiKey?: string } = {},
): Promise<Connection> => {
  const { apiKey, ...rest } = options
  const api = createClient({ baseUrl, ...(apiKey ? { apiKey } : {}), ...agentClientRules, maxRetryWaitMs: 0 })
  const server = createAgentServer({
    client: api,
    version: '0.0.0',
    service: 'http://service.test/api',
    secrets: apiKey ? [apiKey] : [],
    ...rest,
  })
  const client = new Client({ name: 'test', version: '1' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  await client.connect(near)
  return {
    client,
    call: async (name, args = {}) => parseToolResult(await client.callTool({ name, arguments: args })),
    close: async () => {
      await client.close()
      await server.close()
    },
  }
}

export const parseToolResult = (result: unknown): ToolResult => {
  const { content, structuredContent, isError } = result as {
    content: { text?: string }[]
    structuredContent?: ToolResult['answer']
    isError?: boolean
  }
  return {
    text: content.map(({ text = '' }) => text).join(''),
    answer: structuredContent ?? { outcome: 'none' },
    isError: isError ?? false,
    raw: JSON.stringify(result),
  }
}
