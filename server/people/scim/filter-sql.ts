import { id } from '#contract/primitives.ts';
import { join, type Sql, sql } from '#server/platform/database/sql.ts';
import type { Filter, FilterValue, Operator } from './filter.ts';
import { ScimError } from './scim-error.ts';

/** How an attribute is compared: a text in any case or exactly (RFC 7643, 2.2), a truth value, or the ids of a set. */
export type Attribute = { column: Sql; kind: 'text' | 'exact' | 'truth' } | IdSet;

interface IdSet {
  kind: 'set';
  /** SQL: the condition that it holds an id, or that it holds any. Thousands of ids are looked up, never collected. */
  holds: (id: Sql) => Sql;
  any: Sql;
}

/** By attribute in lower case. */
export type Attributes = ReadonlyMap<string, Attribute>;

/** Returns the condition of a filter. Errors: invalidFilter, for an attribute that is not kept or an operator that does not fit it. */
export function conditionOf(filter: Filter, attributes: Attributes): Sql {
  switch (filter.kind) {
    case 'not':
      return sql`not ${conditionOf(filter.part, attributes)}`;
    case 'and':
    case 'or': {
      const parts = filter.parts.map((part) => conditionOf(part, attributes));
      return sql`(${join(parts, filter.kind === 'and' ? ' and ' : ' or ')})`;
    }
    default: {
      const attribute = attributes.get(filter.attribute);
      if (attribute === undefined)
        throw new ScimError('invalidFilter', 'The filter names an attribute that is not kept.');
      return sql`coalesce(${compared(attribute, filter.operator, filter.value)}, false)`;
    }
  }
}

const MISFIT = 'An operator or value in the filter does not fit its attribute.';

function compared(attribute: Attribute, operator: Operator, value: FilterValue): Sql {
  if (operator === 'ne') return sql`not coalesce(${compared(attribute, 'eq', value)}, false)`;
  if (attribute.kind === 'set') return comparedSet(attribute, operator, value);
  const { column, kind } = attribute;
  if (operator === 'pr') return sql`${column} is not null`;
  if (operator === 'eq' && value === null) return sql`${column} is null`;
  if (kind === 'truth') {
    if (operator !== 'eq' || typeof value !== 'boolean') throw new ScimError('invalidFilter', MISFIT);
    return sql`${column} = ${value}`;
  }
  if (typeof value !== 'string') throw new ScimError('invalidFilter', MISFIT);
  const [text, wanted] = kind === 'text' ? [sql`lower(${column})`, value.toLowerCase()] : [column, value];
  if (operator === 'eq') return sql`${text} = ${wanted}`;
  const pattern = wanted.replace(/[\\%_]/g, '\\$&');
  const around = { co: `%${pattern}%`, sw: `${pattern}%`, ew: `%${pattern}` }[operator];
  return sql`${text} like ${around}`;
}

function comparedSet({ holds, any }: IdSet, operator: Operator, value: FilterValue): Sql {
  if (operator === 'pr') return any;
  if (operator !== 'eq') throw new ScimError('invalidFilter', MISFIT);
  if (value === null) return sql`not ${any}`;
  if (typeof value !== 'string') throw new ScimError('invalidFilter', MISFIT);
  return id.safeParse(value).success ? holds(sql`${value}::bigint`) : sql`false`;
}
