// Properties as resources, for clients that follow the links in an answer.
import { type CallToolResult, type McpServer, ResourceTemplate, type ServerContext } from '@modelcontextprotocol/server'

export const registerProperties = (
  server: McpServer,
  read: (id: string, context: ServerContext) => Promise<CallToolResult>,
): void => {
  server.registerResource(
    'property',
    new ResourceTemplate('lotline://property/{id}', { list: undefined }),
    {
      title: 'Property',
      description: 'One property with its scores, pro forma and comparable sales',
      mimeType: 'text/markdown',
    },
    async (uri, { id }, context) => {
      const { content } = await read(decodeURIComponent(String(id)), context)
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] }
    },
  )
}
