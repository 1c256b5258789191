import { type DestinationStream, type Logger, pino } from 'pino';

/** What may never stand in a log, wherever somebody puts it by mistake. */
const SECRET = ['password', 'cookie', 'authorization', 'body', 'query', 'headers'];

/** An error as it is logged: its kind, code and stack. Other fields of it (a statement's values, a request's body) are left out. */
function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  const cause = error.cause === undefined ? {} : { cause: errorForLog(error.cause) };
  return { type: error.name, ...(typeof code === 'string' ? { code } : {}), stack: error.stack, ...cause };
}

/** The log of the process: JSON lines with ids only. Log an error as `{ err: error }`. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorForLog },
      redact: { paths: SECRET.flatMap((name) => [name, `*.${name}`]), remove: true },
    },
    destination,
  );
}
