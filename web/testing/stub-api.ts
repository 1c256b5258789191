import { vi } from 'vitest';
import type { RouteKey } from '#contract/routes.ts';

/** An answer that is not 2xx, with the body of an API error. */
export interface Refusal {
  refuse: number;
  errorKey: string;
  message: string;
  fields?: Record<string, string>;
}
type Answers = Partial<Record<RouteKey, unknown>>;

const matches = (route: string, method: string, path: string): boolean =>
  new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(`${method} ${path}`);

/** Answers `fetch` by route; an answer that is a function gets the body and the URL. Returns the list of calls, which grows. */
export const stubApi = (answers: Answers) => {
  const asked: { route: RouteKey; path: string; body: unknown }[] = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: { method?: string; body?: string } = {}) => {
    const path = url.split('?')[0] ?? '';
    const route = (Object.keys(answers) as RouteKey[]).find((key) => matches(key, method, path));
    if (!route) throw new Error(`No answer for ${method} ${path}`);
    const sent: unknown = body === undefined ? undefined : JSON.parse(body);
    asked.push({ route, path: url, body: sent });
    const given = answers[route];
    const answer: unknown = typeof given === 'function' ? given(sent, url) : given;
    if (answer !== null && typeof answer === 'object' && 'refuse' in answer) {
      const { refuse, ...rest } = answer as Refusal;
      return new Response(JSON.stringify({ status: refuse, requestId: 'r1', ...rest }), { status: refuse });
    }
    return new Response(answer === undefined ? null : JSON.stringify(answer), {
      status: answer === undefined ? 204 : 200,
    });
  });
  return asked;
};
