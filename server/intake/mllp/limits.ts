/** What senders may use of the listener. An installation has tens of senders with a few connections and small messages; all of this is far above. */

export interface MllpLimits {
  /** Connections, of all addresses. */
  connections: number;
  /** Of these, connections of addresses that are not known to send a feed's messages. The rest is reserved for the others. */
  connectionsOfUnknown: number;
  connectionsPerUnknownAddress: number;
  /** Higher, because a balancer in front of the listener makes many senders look like one address. */
  connectionsPerKnownAddress: number;
  frameBytes: number;
  /** Bytes of memory for unfinished frames, of all connections. */
  memory: number;
  memoryOfUnknown: number;
  memoryPerAddress: number;
  /** Milliseconds after which a connection that is not encrypted yet is closed, where the listener uses TLS. */
  handshakeTime: number;
  /** Milliseconds without data after which a connection is closed. Senders reconnect. */
  idle: number;
  /** Milliseconds that a frame may take from its first byte to its last, plus the time that its bytes take at `bytesPerSecond`. */
  frameTime: number;
  bytesPerSecond: number;
}

const MIB = 1024 * 1024;

export const MLLP_LIMITS: Readonly<MllpLimits> = {
  connections: 1000,
  connectionsOfUnknown: 500,
  connectionsPerUnknownAddress: 64,
  connectionsPerKnownAddress: 250,
  frameBytes: 16 * MIB,
  memory: 256 * MIB,
  memoryOfUnknown: 128 * MIB,
  memoryPerAddress: 64 * MIB,
  handshakeTime: 10_000,
  idle: 30 * 60 * 1000,
  frameTime: 60_000,
  bytesPerSecond: 16 * 1024,
};
