/**
 * Finds which persons' rows match a list's parameters, for some persons only and without the search threads: their rows are made and matched as
 * a store does it, so what is found is what the list shows.
 */
import type { SearchContext } from '#contract/facets.ts';
import type { SearchParameters } from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { asActor, asGroups } from '#server/people/access/door.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { PatientKey } from '#server/work/patients/load.ts';
import { type AccessScope, LIST_PERMISSIONS, scopeKey } from './access-scope.ts';
import type { Table } from './columns/table.ts';
import { patientKeys } from './row-keys.ts';
import { factsByPerson } from './rows/group-facts.ts';
import { readFacts } from './rows/queries.ts';
import { emptyTables, putPersons, type Tables } from './scope-tables.ts';
import { type Prepared, prepare } from './search.ts';

/** Persons whose rows are read by one statement. */
const CHUNK = 500;

/** Matches rows of the same persons with any number of lists. Actors with the same access share the rows. */
export class RowMatcher {
  readonly #db: Database;
  readonly #personIds: readonly string[];
  readonly #now: Date;
  readonly #tables = new Map<string, Promise<Tables>>();

  /** `db`: the app role's. */
  constructor(db: Database, personIds: readonly string[], now: Date) {
    this.#db = db;
    this.#personIds = [...new Set(personIds)];
    this.#now = now;
  }

  /** Returns the persons, visits and events of the list's rows; none if the actor may no longer use the list or one of its filters. */
  async matches(actor: Actor, parameters: SearchParameters): Promise<PatientKey[]> {
    const { searchContext: context } = parameters;
    if (!actor.can(LIST_PERMISSIONS[context])) return [];
    const prepared = await this.#prepare(actor, parameters);
    if (prepared === null) return [];
    const table = tableOf(await this.#tablesOf(prepared.scope), context);
    const page = { sort: [], offset: 0, limit: table.size, facets: [], facetSize: 0 };
    const { keys } = table.search({ ...prepared.condition, ...page });
    return asActor(this.#db, actor, LIST_PERMISSIONS[context], (tx) => patientKeys(tx, context, keys), {
      readOnly: true,
    });
  }

  async #prepare(actor: Actor, parameters: SearchParameters): Promise<Prepared | null> {
    const context = parameters.searchContext;
    try {
      return await prepare({ db: this.#db }, { actor, context, parameters, now: this.#now, after: null });
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return null;
      throw error;
    }
  }

  #tablesOf(scope: AccessScope): Promise<Tables> {
    const key = scopeKey(scope);
    const known = this.#tables.get(key) ?? this.#read(scope);
    this.#tables.set(key, known);
    return known;
  }

  async #read(scope: AccessScope): Promise<Tables> {
    const tables = emptyTables(true);
    tables.persons.reserve(this.#personIds.length);
    const options = { scope, withEvents: true, isUpdate: false, now: this.#now.getTime(), noteDiagnosis: () => {} };
    for (let from = 0; from < this.#personIds.length; from += CHUNK) {
      const ids = this.#personIds.slice(from, from + CHUNK);
      const document = await asGroups(this.#db, scope, (tx) => readFacts(tx, ids, { all: true }), ids);
      putPersons(tables, factsByPerson(ids, document), options, () => {});
    }
    return tables;
  }
}

const tableOf = ({ persons, pings, events }: Tables, context: SearchContext): Table =>
  ({ ALL: persons, PINGS: pings, EVENTS: events as Table })[context];
