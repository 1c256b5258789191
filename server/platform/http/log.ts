import { type DestinationStream, type Logger, pino } from 'pino';

/** Fields that are removed from every log line, in case they are logged by mistake. */
const SECRET = ['password', 'cookie', 'authorization', 'body', 'query', 'headers'];

/** Returns what is logged of an error: its name, code and stack. Other fields, such as a statement's values, are left out. */
function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  const cause = error.cause === undefined ? {} : { cause: errorForLog(error.cause) };
  return { type: error.name, ...(typeof code === 'string' ? { code } : {}), stack: error.stack, ...cause };
}

/** Creates the log of the process: JSON lines that contain ids, never names. Log an error as `{ err: error }`. */
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
