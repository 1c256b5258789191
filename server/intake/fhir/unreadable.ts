/** Why bytes are no message at all, for their sender: what, and where (a FHIRPath, or a line). It holds no text of the message. */
export class NoMessage extends Error {
  /** FHIRPath of what is wrong; null for what isn't JSON. */
  readonly expression: string | null;

  constructor(message: string, expression: string | null = null) {
    super(message);
    this.expression = expression;
  }
}

/** Why a message can't be used. Its sender, or the feed's settings, have to be corrected. */
export class Unusable extends Error {}
