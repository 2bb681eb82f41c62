// docs/schema.md: a diagram, then every table with its columns, keys and indexes.
import type { Column, Table } from './read-schema.ts'

export const schemaPage = (tables: readonly Table[]): string => {
  const [shared, grouped] = [true, false].map((isPublic) =>
    tables.filter(({ schema }) => (schema === 'public') === isPublic),
  )
  return `# Database schema

These are the tables of a Lotline database, their columns, keys and indexes. The page is written by \`npm run schema\` from a migrated
database, and a test fails when it is out of date.

Market data is in the schema of a shard group (\`g00\`); \`public.market\` says which group a market is in. Everything else is in
\`public\`. A connection finds both by its \`search_path\`: in psql, run \`set search_path = g00, public\` first. Inside a group every
key begins with \`market\`. Migrations are in \`migrations/shared\` and \`migrations/group\`.

## Diagram

\`\`\`mermaid
erDiagram
${tables.flatMap(relations).join('\n')}
\`\`\`

## Shared tables (\`public\`)

${shared!.map(section).join('\n')}
## Tables of a shard group (\`g00\`)

${grouped!.map(section).join('\n')}`
    .trimEnd()
    .concat('\n')
}

const relations = ({ name, columns, foreignKeys }: Table): string[] =>
  foreignKeys.map(({ table, columns: own }) => {
    const optional = own.some((key) => columns.find((column) => column.name === key)?.nullable)
    return `  ${table} ${optional ? '|o' : '||'}--o{ ${name} : "${own.at(-1)}"`
  })

const section = ({ name, comment, columns, primaryKey, foreignKeys, indexes }: Table): string => `### ${name}

${comment ?? ''}

| Column | Type | Notes |
|---|---|---|
${columns.map(row).join('\n')}

${[
  ...(primaryKey.length > 0 ? [`- Primary key: ${code(primaryKey)}`] : []),
  ...foreignKeys.map(
    ({ columns: own, table, references, onDelete }) =>
      `- ${code(own)} references \`${table}\` ${code(references)}${onDelete === 'cascade' ? ', deleted with it' : ''}`,
  ),
  ...indexes.map(
    ({ name: index, definition }) =>
      `- Index \`${index}\`: \`${definition.replace(/^CREATE (UNIQUE )?INDEX \S+ ON \S+ USING /, '$1')}\``,
  ),
].join('\n')}
`

const row = ({ name, type, nullable, values, generated, comment }: Column): string => {
  const notes = [
    ...(comment ? [comment] : []),
    ...(values ? [`One of ${values.map((value) => `\`${value}\``).join(', ')}.`] : []),
    ...(generated ? ['Set by the database.'] : []),
  ]
  return `| \`${name}\` | ${type}${nullable ? ', may be null' : ''} | ${notes.join(' ').replaceAll('|', '\\|')} |`
}

const code = (columns: readonly string[]): string => `\`(${columns.join(', ')})\``
