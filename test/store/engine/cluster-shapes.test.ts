// Statements that one server runs and a cluster refuses or answers by copying whole tables. Found on Citus 13.2.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))

/** The texts of sql`…` in a file, with `?` for each value. */
const statementsIn = (source: string): string[] => {
  const found: string[] = []
  const read = (from: number): { text: string; end: number } => {
    let text = ''
    for (let at = from; at < source.length; at++) {
      if (source[at] === '`') return { text, end: at }
      if (source[at] !== '$' || source[at + 1] !== '{') {
        text += source[at]
        continue
      }
      let depth = 1
      for (at += 2; depth > 0; at++) {
        if (source[at] === '`') at = read(at + 1).end
        else if (source[at] === '{') depth++
        else if (source[at] === '}') depth--
      }
      at--
      text += '?'
    }
    return { text, end: source.length }
  }
  for (const { index } of source.matchAll(/\bsql(?:<[^`]*?>)?`/g)) found.push(read(source.indexOf('`', index) + 1).text)
  return found.map((text) => text.replace(/--.*$/gm, '').toLowerCase())
}

/** The statement behind the common table expressions: what is left when everything in parentheses is removed. */
const mainPart = (statement: string): string => {
  let depth = 0
  let text = ''
  for (const character of statement) {
    if (character === '(') depth++
    if (depth === 0) text += character
    if (character === ')') depth--
  }
  return text
}

/** Their result depends on a setting, so Citus computes them before it sends an insert, whose text is then wrong. */
const stable =
  /\b(array_to_string|concat|concat_ws|date_trunc|format|json_build_object|jsonb_build_object|now|to_char)\(/

const notImmutable = 'inserts selected rows with a function that is not immutable'
const columnWithConstraint = 'adds a column with a constraint; add the constraint by name'

const problemsOf = (statement: string): string[] => [
  ...(/\bselect\s+from\b/.test(statement) ? ['selects no column'] : []),
  ...(/^\s*\??\s*with\b/.test(statement) && /\binsert into\b/.test(mainPart(statement))
    ? ['has common table expressions before insert; write them behind it']
    : []),
  ...(/\barray_to_string\(/.test(statement) || (/\binsert into\b.*\bfrom\b/s.test(statement) && stable.test(statement))
    ? [notImmutable]
    : []),
  ...(/\badd column\b[^,;]*\b(check|unique|references|primary key)\b/.test(statement) ? [columnWithConstraint] : []),
  ...(/\bset (statistics|storage)\b/.test(statement) ? ['sets statistics or storage'] : []),
  ...(/\bunnest\(.*?\bjoin (property|listing|assessment|permit|sale)\b/s.test(statement) && !/key_order/.test(statement)
    ? ['joins keys with a table of the groups; use askGroups']
    : []),
]

test('no statement has a shape that a cluster refuses', () => {
  // The history of the sample is written at the first start, when its group is on the coordinator.
  const files = filesIn('src/store', '.ts').filter((file) => !file.endsWith('ingest/sample-history.ts'))
  const problems = files.flatMap((file) =>
    statementsIn(readFileSync(join(root, file), 'utf8')).flatMap((statement) =>
      problemsOf(statement).map((problem) => `${file}: ${problem}: ${statement.trim().slice(0, 60)}`),
    ),
  )
  expect(problems).toEqual([])
})

test('no migration after the first schema and no view has a shape that a cluster refuses', () => {
  const problems = [...filesIn('migrations', '.sql'), ...filesIn('views', '.sql')]
    .filter((file) => Number(/(\d{4})_/.exec(file)?.[1] ?? 9) > 8)
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .replace(/--.*$/gm, '')
        .toLowerCase()
        .split(';')
        .flatMap((statement) => problemsOf(statement).map((problem) => `${file}: ${problem}`)),
    )
    // Landed before these were known. A new group gets these files before it is distributed.
    .filter((found) => !(/00[0-2]\d_|003[0-5]_|0053_/.test(found) && /not immutable|with a constraint/.test(found)))
  expect(problems).toEqual([])
})

test('each of these shapes is recognized', () => {
  const shapes = [
    'select id from a where exists (select from b)',
    'with a as (select 1 from sale) insert into sale_search select * from a',
    "insert into permit_search select array_to_string(p.names, ',') from permit p",
    "insert into forecast select 1 from assessment where day < date_trunc('month', ?::date)",
    'alter table a add column b integer check (b > 0)',
    'alter table a alter column b set statistics 500',
    'select 1 from unnest(?::text[]) k (id) join property p on p.id = k.id',
  ]
  const nested = ['sql<Row>`', shapes[1]!.replace('1', '$' + '{one(sql`x`)}'), '`.execute(db)'].join('')
  const statement = statementsIn(nested)
  expect(statement[0]).toBe(shapes[1]!.replace('1', '?'))
  for (const shape of shapes) expect(problemsOf(shape), shape).toHaveLength(1)
  expect(problemsOf('insert into a with b as (select 1) select * from b')).toEqual([])
  expect(problemsOf('with b as (insert into a select 1 returning x) select * from b')).toEqual([])
})
