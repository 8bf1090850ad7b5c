// Preloaded into the gateway (NODE_OPTIONS=--require): every connection and DNS look-up that leaves loopback fails at
// once, as on a machine without a network. Names under `.test` (RFC 6761) stand for far hosts and lead to loopback, so
// that a recording "cloud" is not a local address in the configuration. The host refuses names that resolve to private
// addresses (SSRF guard), so they resolve to a public-looking one which is turned into loopback at the connect. Attempts are appended to $E2E_CUT_LOG so that a test can look at them.
const net = require("node:net");
const dns = require("node:dns");
const fs = require("node:fs");

const FAR = /\.test$/i;
const FAR_ADDRESS = "11.0.0.1";
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|::1|::ffff:127\.\d+\.\d+\.\d+)$/i;

function refuse(host) {
  if (process.env.E2E_CUT_LOG) {
    try {
      fs.appendFileSync(process.env.E2E_CUT_LOG, `${host}\n`);
    } catch {
      // The home may be gone already while the process ends; the refusal itself is what counts.
    }
  }
  return Object.assign(new Error(`network cut by the test harness: ${host}`), { code: "ENETUNREACH" });
}

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function cutConnect(...args) {
  const first = Array.isArray(args[0]) ? args[0][0] : args[0];
  const options =
    typeof first === "object" && first !== null
      ? first
      : { port: first, host: typeof args[1] === "string" ? args[1] : undefined };
  const host = options.host ?? options.hostname;
  if (!options.path && host && (FAR.test(host) || host === FAR_ADDRESS)) {
    const near = { ...options, host: "127.0.0.1", hostname: undefined, lookup: undefined };
    if (Array.isArray(args[0])) args[0][0] = near;
    else args.splice(0, typeof first === "object" ? 1 : 2, near);
    return connect.apply(this, args);
  }
  if (!options.path && host && !LOOPBACK.test(host)) {
    process.nextTick(() => this.destroy(refuse(host)));
    return this;
  }
  return connect.apply(this, args);
};

const lookup = dns.lookup;
dns.lookup = function cutLookup(hostname, options, callback) {
  const done = typeof options === "function" ? options : callback;
  if (hostname && FAR.test(hostname)) return lookup.call(dns, FAR_ADDRESS, options, callback);
  if (hostname && !LOOPBACK.test(hostname)) return process.nextTick(done, refuse(hostname));
  return lookup.call(dns, hostname, options, callback);
};
const lookupPromise = dns.promises.lookup;
dns.promises.lookup = async function cutLookupPromise(hostname, options) {
  if (hostname && FAR.test(hostname)) return lookupPromise.call(dns.promises, FAR_ADDRESS, options);
  if (hostname && !LOOPBACK.test(hostname)) throw refuse(hostname);
  return lookupPromise.call(dns.promises, hostname, options);
};
