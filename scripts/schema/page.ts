// docs/schema.md: every table with its content and the tables that it references.
import type { Table } from './read-schema.ts'

export const schemaPage = (tables: readonly Table[]): string => {
  const [shared, grouped] = [true, false].map((isPublic) =>
    tables.filter(({ schema }) => (schema === 'public') === isPublic),
  )
  return `# Database schema

The tables of a Lotline database. Columns with their comments are in \`src/store/engine/schema.ts\`; \`\\d+ <table>\` in psql also shows
keys and indexes. \`npm run schema\` writes this page and that file from a migrated database.

Market data is in the schema of a shard group (\`g00\`), where every key begins with \`market\`; \`public.market\` says which group a
market is in. In psql, run \`set search_path = g00, public\` first.

## Shared tables (\`public\`)

${table(shared!)}

## Tables of a shard group (\`g00\`)

${table(grouped!)}
`
}

const table = (tables: readonly Table[]): string =>
  ['| Table | Content | References |', '|---|---|---|', ...tables.map(row)].join('\n')

const row = ({ name, comment, foreignKeys }: Table): string => {
  const references = [...new Set(foreignKeys.map(({ table }) => `\`${table}\``))].join(', ')
  return `| \`${name}\` | ${(comment ?? '').replaceAll('|', '\\|')} | ${references} |`
}
