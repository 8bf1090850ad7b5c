/** Ollama's own cloud, reached through the local server: `gpt-oss:120b-cloud`, `minimax-m2:cloud`. */
const CLOUD_TAG = /[:-]cloud$/i;

/**
 * Whether a model of a local server runs elsewhere, as its name says.
 * @see https://docs.ollama.com/cloud
 */
export function isCloudModel(model: string | undefined): boolean {
  return model !== undefined && CLOUD_TAG.test(model);
}
