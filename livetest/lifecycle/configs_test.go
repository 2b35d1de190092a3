package lifecycle_test

// Configurations for the resources without faults.

func serverConfig(region string, disks int, ports ...int) map[string]any {
	c := map[string]any{
		"name": "web", "region": region, "secret": "hunter2",
		"network": map[string]any{"cidr": "10.0.0.0/8"},
		"mounts":  map[string]any{"root": map[string]any{"path": "/"}, "data": map[string]any{"path": "/d", "readonly": true}},
	}
	var all, numbers []any
	for i := range disks {
		all = append(all, map[string]any{"size": i + 1})
	}
	for _, n := range ports {
		numbers = append(numbers, map[string]any{"number": n})
	}
	c["disks"], c["ports"] = all, numbers
	return c
}

func firewallConfig(port int, anything any) map[string]any {
	return map[string]any{
		"name": "edge", "key_wo": "secret", "size": 1, "anything": anything,
		"rule": []any{map[string]any{"port": port, "source": "any"}, map[string]any{"port": 22}},
		"step": []any{map[string]any{"title": "1", "match": []any{map[string]any{"cidr": "10.0.0.0/8"}}},
			map[string]any{"title": "2", "note": "last"}},
		"log": map[string]any{"target": "file"},
	}
}

func linkConfig(members ...string) map[string]any {
	var all []any
	for _, name := range members {
		all = append(all, map[string]any{"name": name})
	}
	return map[string]any{"target": "x", "members": all}
}

func bucketConfig(name, class, label string, tags map[string]any) map[string]any {
	return map[string]any{
		"name": name, "class": class, "label": label, "tags": tags, "password": "hunter2", "key_wo": "secret",
		"settings": []any{map[string]any{"versioned": true, "days": 7}},
		"rule":     []any{map[string]any{"prefix": "a/", "action": "keep"}, map[string]any{"prefix": "b/", "action": "drop"}},
	}
}
