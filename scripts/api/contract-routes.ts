import { type Route, routes } from '#contract/routes.ts';

/** A route of the contract with its key taken apart. */
export interface ContractRoute extends Route {
  method: string;
  /** As the contract writes it, e.g. `/api/patients/:id`. */
  path: string;
  status: 200 | 201 | 202 | 204;
  takesTeamHeader: boolean;
}

/** Returns the routes of the contract, in its order. */
export function contractRoutes(): ContractRoute[] {
  return Object.entries<Route>(routes).map(([key, route]) => {
    const [method = '', path = ''] = key.split(' ');
    const inTeam = route.permission !== 'public' && route.permission !== 'signed-in';
    const takesTeamHeader = inTeam && route.kind !== 'stream' && route.kind !== 'download';
    return { ...route, method, path, status: route.status ?? 200, takesTeamHeader };
  });
}
