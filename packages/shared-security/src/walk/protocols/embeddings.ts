import { id, media, model, object, text, word } from "../shape.ts";

/**
 * Embeddings as OpenAI speaks it, and its relatives (Voyage, Cohere, Jina, rerankers).
 * @see https://platform.openai.com/docs/api-reference/embeddings/create
 */
export const embeddings = object(
  {
    model,
    input: object(
      { type: word, text: text("input"), image: media("image"), image_url: media("image") },
      "input",
    ),
    texts: text("input"),
    prompt: text("input"),
    query: text("input"),
    documents: text("input"),
    images: media("image"),
    encoding_format: word,
    embedding_types: word,
    input_type: word,
    task: word,
    task_type: word,
    truncate: word,
    output_dtype: word,
    keep_alive: word,
    // A whole response.
    id,
    object: word,
    data: object({ object: word, embedding: media("file") }),
  },
  "input",
);
