import { Type } from 'typebox';

/** Only for the API description: the text is sent without serialisation. */
export const Note = {
  description: 'The signed note.',
  content: { 'text/plain': { schema: Type.Unsafe<string>(Type.String()) } },
};

/** Only for the API description: the bytes are sent without serialisation. */
export const TileBytes = {
  description:
    'The hashes of the tile, 32 bytes each; or its entries, each after its length in 2 bytes.',
  content: {
    'application/octet-stream': {
      schema: Type.Unsafe<Buffer>(Type.String({ format: 'binary' })),
    },
  },
};

export const NOTE = 'text/plain; charset=utf-8';
export const BYTES = 'application/octet-stream';
