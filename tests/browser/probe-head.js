window.probe = { errors: [] };
addEventListener("error", (event) => probe.errors.push(String(event.message)));
addEventListener("securitypolicyviolation", (event) => probe.errors.push(`policy: ${event.violatedDirective}`));
