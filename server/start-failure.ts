/** What a start that failed says to whoever runs the server. */
import { ConfigError } from './config.ts';
import { FolderInUseError } from './platform/database/embedded/folder-lock.ts';
import { SealedSecretError } from './platform/secrets/secret-box.ts';
import { SecretKeyError } from './platform/secrets/secret-keys.ts';

/** Errors whose message says everything. */
const COMPLETE: (new (...about: never[]) => Error)[] = [
  ConfigError,
  FolderInUseError,
  SecretKeyError,
  SealedSecretError,
];

/** Errors of the language: faults of ours, which their stack locates. */
const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** PostgreSQL refuses the connection: class 28 (user or password), 3D (no such database), 53300 (too many), 57P (starting or stopping). */
const REFUSED = /^(28...|3D...|53300|57P..)$/;

/** Fields of the errors of Node and of the database's driver. */
type Detailed = Error & { code?: string; severity?: string; syscall?: string; address?: string; port?: number };

/** Also a statement of ours that the database refuses. */
const isFault = (error: Detailed): boolean =>
  FAULTS.some((kind) => error instanceof kind) || (error.severity !== undefined && !REFUSED.test(error.code ?? ''));

/** Returns one line for what the environment or the machine causes, and the stack for a fault of ours. */
export function startFailure(error: unknown): string {
  if (!(error instanceof Error)) return `Tidings could not start: ${String(error)}`;
  if (COMPLETE.some((kind) => error instanceof kind)) return error.message;
  return `Tidings could not start: ${isFault(error) ? error.stack : reasonOf(error)}`;
}

function reasonOf(error: Detailed): string {
  const { code = '', syscall, message } = error;
  // Node tries every address of a name, and sums the errors up without a text.
  const reason = message || code;
  if (syscall === 'listen') {
    const used = code === 'EADDRINUSE' ? 'another process uses this port' : reason;
    return `it can't listen at ${error.address}:${error.port}, because ${used}. PORT, MLLP_PORT and TIDINGS_OPERATIONS_PORT name the ports, and HOST, MLLP_HOST and TIDINGS_OPERATIONS_HOST the addresses`;
  }
  const isConnecting = syscall === 'connect' || error instanceof AggregateError;
  if (syscall === 'getaddrinfo') return `${reason}. Check DATABASE_URL, HOST, MLLP_HOST and TIDINGS_OPERATIONS_HOST`;
  return isConnecting || REFUSED.test(code) ? `it can't connect to the database of DATABASE_URL: ${reason}` : reason;
}
