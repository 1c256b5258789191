import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiDocuments } from './api/document.ts';

/** `npm run api-docs`: regenerates the API documents from the contract. */
for (const [path, text] of Object.entries(apiDocuments())) {
  writeFileSync(join(import.meta.dirname, '..', path), text);
  console.log(path);
}
